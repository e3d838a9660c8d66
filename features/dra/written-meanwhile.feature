@profile:kep @profile:since-1.34
Feature: Writes of other clients between Reserve and PreBind, and failed creates of controllers

  Rule: A ResourceClaim that changes between Reserve and PreBind

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a DeviceClass "any"
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: c
          namespace: default
          labels: {team: a}
          finalizers: [resource.kubernetes.io/delete-protection, example.com/kept]
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      And a pod "p" that uses ResourceClaim "c"

    @case:finalizer-removed
    @DRA/workflow/allocation-written-before-binding
    Scenario: A ResourceClaim whose finalizer another client removes after Reserve is allocated
      When scheduling of pod "p" up to Reserve is attempted
      And another client updates ResourceClaim "c" with
        | field               | value              |
        | metadata.finalizers | [example.com/kept] |
      And the binding cycle of pod "p" runs
      Then Bind returns Success
      And after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
      But since Kubernetes 1.34, because the document names no finalizer: after PreBind ResourceClaim "c" has
        | field               | value                                                        |
        | metadata.finalizers | [example.com/kept, resource.kubernetes.io/delete-protection] |

    @case:label-changed
    @DRA/workflow/allocation-written-before-binding
    Scenario: PreBind keeps a label that another client has changed after Reserve
      When scheduling of pod "p" up to Reserve is attempted
      And another client updates ResourceClaim "c" with
        | field           | value     |
        | metadata.labels | {team: b} |
      And the binding cycle of pod "p" runs
      Then Bind returns Success
      And after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
      And after PreBind ResourceClaim "c" has
        | field                | value |
        | metadata.labels.team | b     |

    @case:label-of-claim-without-finalizer
    @DRA/workflow/allocation-written-before-binding
    Scenario: PreBind keeps a label that another client has added to a ResourceClaim without finalizer
      Given a ResourceClaim "e" requesting 1 device
      And a pod "q" that uses ResourceClaim "e"
      When scheduling of pod "q" up to Reserve is attempted
      And another client updates ResourceClaim "e" with
        | field           | value     |
        | metadata.labels | {team: b} |
      And the binding cycle of pod "q" runs
      Then Bind returns Success
      And after PreBind ResourceClaim "e" is allocated exactly "gpu-0"
      And after PreBind ResourceClaim "e" has
        | field                | value |
        | metadata.labels.team | b     |

    @case:reserved-meanwhile
    @API/reservation/of-each-user
    Scenario: PreBind keeps the reservation that another client has added after Reserve
      Given ResourceClaim "d" is already allocated
        | device |
        | gpu-0  |
      And a pod "q" that uses ResourceClaim "d"
      When scheduling of pod "q" up to Reserve is attempted
      And another client updates ResourceClaim "d" with
        | field              | value                                                                                                   |
        | status.reservedFor | [{apiGroup: batch, resource: jobs, name: j, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0041}] |
      And the binding cycle of pod "q" runs
      Then Bind returns Success
      And after PreBind ResourceClaim "d" has
        | field                               | value |
        | status.reservedFor[name=j].resource | jobs  |
        | status.reservedFor[name=q].resource | pods  |

    @case:deleted-meanwhile
    @DRA/claim/must-exist-in-pod-namespace
    Scenario: A pod is not bound if its ResourceClaim is removed after Reserve
      Given a ResourceClaim "e" requesting 1 device
      And a pod "q" that uses ResourceClaim "e"
      When scheduling of pod "q" up to Reserve is attempted
      And another client deletes ResourceClaim "e"
      And the binding cycle of pod "q" runs
      Then Bind is not reached
      And after Unreserve no ResourceClaim is in flight

  Rule: The ResourceClaim of a ResourceClaimTemplate whose create fails

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaimTemplate "t" requesting 1 device

    @case:create-fails
    @DRA/template/one-claim-per-pod
    Scenario Outline: A pod gets one ResourceClaim although creates have failed with <reason>
      When the next <times> creation of a ResourceClaim by components fails with <reason>
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "gpu of pod p" is reserved for pod "p"
      And ResourceClaim "gpu of pod p" is allocated 1 device

      Examples:
        | times | reason             |
        | 1     | Conflict           |
        | 1     | ServiceUnavailable |
        | 1     | InternalError      |

    @case:second-create-fails
    @DRA/template/one-claim-per-pod
    Scenario: The first ResourceClaim of a pod is kept when the create of its second one conflicts
      Given a pod "p" that uses the ResourceClaimTemplate "t" as "first"
      When pod "p" is created with
        | field                                 | value                                                                                                     |
        | spec.resourceClaims                   | [{name: first, resourceClaimTemplateName: t}, {name: second, resourceClaimTemplateName: t}] |
        | spec.containers[0].resources.claims   | [{name: first}, {name: second}]                                                                         |
      And the next 1 creation of a ResourceClaim by components fails with Conflict
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "first of pod p" is allocated 1 device
      And ResourceClaim "second of pod p" is allocated 1 device
