@profile:kep @profile:since-1.34
Feature: Lifetime of ResourceClaims

  Background:
    Given the devices
      | device | attribute size |
      | gpu-0  | string small   |
      | gpu-1  | string small   |

  @case:user-claim-outlives-pods
  @DRA/claim/manual-lifecycle
  Scenario: A ResourceClaim created by a user remains after its pods finish and are deleted
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is reserved for pod "p"
    When pod "p" finishes
    And the cluster reaches a steady state
    Then ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    And ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |
    When a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    When pod "q" is deleted
    And ResourceClaim "c" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" does not exist

  @case:own-claim-for-each-pod
  @DRA/template/one-claim-per-pod
  Scenario: Each pod that references a ResourceClaimTemplate gets its own ResourceClaim
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is allocated 1 device
    And ResourceClaim "gpu of pod p" is reserved for pod "p"
    And ResourceClaim "gpu of pod q" is allocated 1 device
    And ResourceClaim "gpu of pod q" is reserved for pod "q"

  @case:generated-claim-freed-then-deleted
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario: A generated ResourceClaim frees its devices when the pod ends and is deleted with the pod
    Given a ResourceClaimTemplate "both" requesting 2 devices
    And a ResourceClaimTemplate "one" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "both" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is allocated 2 devices
    When a pod "q" that uses the ResourceClaimTemplate "one" as "gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When pod "p" finishes
    And the cluster reaches a steady state
    Then pod "q" is Running
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" does not exist
    And ResourceClaim "gpu of pod q" keeps its allocation

  @case:generated-claim-deleted-on-completion
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario Outline: A generated ResourceClaim is deleted when its pod completes, before the pod is deleted
    Given a ResourceClaimTemplate "one" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "one" as "gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When pod "p" <ends>
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" does not exist
    And pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | ends     | phase     |
      | finishes | Succeeded |
      | fails    | Failed    |

  @case:template-metadata-copied
  @DRA/template/spec-copied
  Scenario: A generated ResourceClaim has its template's metadata except annotation pod-claim-name
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: t, namespace: default, labels: {of: template}, annotations: {example.com/of: template}}
      spec:
        metadata:
          labels: {team: a}
          annotations: {example.com/note: spare, resource.kubernetes.io/pod-claim-name: other}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      """
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" has
      | field                                                       | value |
      | metadata.labels.team                                        | a     |
      | metadata.annotations[example.com/note]                      | spare |
      | metadata.annotations[resource.kubernetes.io/pod-claim-name] | gpu   |

  @case:template-own-metadata-not-copied
  @DRA/template/spec-copied
  Scenario: Labels and annotations of a ResourceClaimTemplate itself are not copied to ResourceClaims
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: t, namespace: default, labels: {of: template}, annotations: {example.com/of: template}}
      spec:
        metadata: {labels: {team: a}}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      """
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" has
      | field                                | value |
      | metadata.labels.team                 | a     |
      | metadata.labels.of                   | null  |
      | metadata.annotations[example.com/of] | null  |

  @case:template-metadata-copied-twice
  @DRA/template/spec-copied
  Scenario: Both ResourceClaims generated for a pod have the labels of their ResourceClaimTemplate
    Given the objects
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: t, namespace: default}
      spec:
        metadata: {labels: {team: a}}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims:
          - {name: first, resourceClaimTemplateName: t}
          - {name: second, resourceClaimTemplateName: t}
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}, {name: second}]}}]
      """
    When the cluster reaches a steady state
    Then ResourceClaim "first of pod p" has
      | field                | value |
      | metadata.labels.team | a     |
    And ResourceClaim "second of pod p" has
      | field                | value |
      | metadata.labels.team | a     |

  @case:finalizer-while-allocated
  @DRA/claim/manual-lifecycle
  Scenario: A ResourceClaim is allocated and has the scheduler's finalizer only while a pod uses it
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated
    But since Kubernetes 1.34, because the document names no finalizer: ResourceClaim "c" has
      | field               | value                                      |
      | metadata.finalizers | [resource.kubernetes.io/delete-protection] |
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    And ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |
    But since Kubernetes 1.34, because the document names no finalizer: ResourceClaim "c" has
      | field               | value |
      | metadata.name       | c     |
      | status.allocation   | null  |
      | metadata.finalizers | null  |

  @case:foreign-finalizer-kept
  @DRA/claim/manual-lifecycle
  Scenario: A ResourceClaim keeps a user's finalizer through allocation and deallocation
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When ResourceClaim "c" is created with
      | field               | value               |
      | metadata.finalizers | [example.com/keeps] |
    And pod "p" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" has
      | field               | value               |
      | metadata.finalizers | [example.com/keeps] |
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    And ResourceClaim "c" has
      | field                      | value               |
      | metadata.finalizers        | [example.com/keeps] |
      | metadata.deletionTimestamp | null                |

  @case:no-claim-for-deleted-pod
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario: No ResourceClaim is generated for a pod that is being deleted
    Given the feature gate "DynamicResourceAllocation" is off in the controller manager
    And a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When pod "p" is created with
      | field               | value              |
      | metadata.finalizers | [example.com/hold] |
    And pod "p" is deleted
    And the feature gate "DynamicResourceAllocation" is turned on in the controller manager
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" does not exist

  @case:second-template-created-later
  @DRA/template/one-claim-per-pod
  Scenario: A pod with one of two ResourceClaimTemplates missing runs once that template is created
    Given a ResourceClaimTemplate "t" requesting 1 device
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims:
          - {name: first, resourceClaimTemplateName: t}
          - {name: second, resourceClaimTemplateName: late}
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}, {name: second}]}}]
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When a ResourceClaimTemplate "late" requesting 1 device is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first of pod p" is reserved for pod "p"
    And ResourceClaim "second of pod p" is reserved for pod "p"

  @case:earlier-pod-without-template
  @DRA/template/one-claim-per-pod
  Scenario: A pod with a missing ResourceClaimTemplate does not delay the ResourceClaim of another pod
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "missing" as "gpu"
    And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "q" is Running
    And ResourceClaim "gpu of pod q" is reserved for pod "q"

  @case:named-claim-and-template
  @DRA/template/one-claim-per-pod
  Scenario: A pod can reference a ResourceClaim and a ResourceClaimTemplate at the same time
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a ResourceClaim "c" requesting 1 device
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims:
          - {name: shared, resourceClaimName: c}
          - {name: own, resourceClaimTemplateName: t}
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: shared}, {name: own}]}}]
      """
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is reserved for pod "p"
    And ResourceClaim "own of pod p" is reserved for pod "p"

  @case:claim-for-gated-pod
  @DRA/template/control-plane-checks-references
  Scenario: The ResourceClaim of a pod with a scheduling gate is allocated after the gate is removed
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When pod "p" is created with
      | field                | value                    |
      | spec.schedulingGates | [{name: example.com/go}] |
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is not allocated
    And ResourceClaim "gpu of pod p" has
      | field                            | value |
      | metadata.ownerReferences[0].kind | Pod   |
      | metadata.ownerReferences[0].name | p     |
    When pod "p" is updated with
      | field                | value |
      | spec.schedulingGates | null  |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "gpu of pod p" is reserved for pod "p"

  @case:template-of-own-namespace
  @DRA/template/control-plane-checks-references
  Scenario: A pod stays Pending until its ResourceClaimTemplate exists in the namespace of the pod
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "team/p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then pod "team/p" is Pending
    And ResourceClaim "team/gpu of pod p" does not exist
    When a ResourceClaimTemplate "team/t" requesting 1 device is created
    And the cluster reaches a steady state
    Then pod "team/p" is Running
    And ResourceClaim "team/gpu of pod p" is reserved for pod "team/p"

  @case:recorded-claim-kept
  @DRA/template/one-claim-per-pod
  Scenario: A ResourceClaim recorded in the pod status is kept while a second claim is generated
    Given a ResourceClaimTemplate "t" requesting 1 device
    And the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 2b9a7f30-61c4-4d8e-9a53-1f0e6c7d8a11}
      spec:
        resourceClaims:
          - {name: first, resourceClaimTemplateName: t}
          - {name: second, resourceClaimTemplateName: t}
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}, {name: second}]}}]
      status:
        phase: Pending
        resourceClaimStatuses: [{name: first, resourceClaimName: p-first-x2k9d}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-first-x2k9d
        namespace: default
        uid: 7e5c1d94-3f2a-4b6e-8c71-5a9d0e3b2c12
        annotations: {resource.kubernetes.io/pod-claim-name: first}
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: p, uid: 2b9a7f30-61c4-4d8e-9a53-1f0e6c7d8a11, controller: true, blockOwnerDeletion: true}
      spec:
        devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}
      """
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-first-x2k9d" is reserved for pod "p"
    And ResourceClaim "second of pod p" is reserved for pod "p"
    And pod "p" has
      | field                                                      | value         |
      | status.resourceClaimStatuses[name=first].resourceClaimName | p-first-x2k9d |

  @case:two-entries-one-template
  @DRA/template/one-claim-per-pod
  Scenario: A pod whose two entries name the same ResourceClaimTemplate gets two ResourceClaims
    Given a ResourceClaimTemplate "t" requesting 1 device
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: two, namespace: default}
      spec:
        resourceClaims:
          - {name: left, resourceClaimTemplateName: t}
          - {name: right, resourceClaimTemplateName: t}
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {claims: [{name: left}, {name: right}]}
      """
    When the cluster reaches a steady state
    Then pod "two" is Running
    And ResourceClaim "left of pod two" is allocated 1 device
    And ResourceClaim "right of pod two" is allocated 1 device
    And pod "two" has
      | field                           | value |
      | status.resourceClaimStatuses[2] |       |

  @case:both-claims-deleted-on-completion
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario: Both generated ResourceClaims of a pod are deleted when the pod completes
    Given a ResourceClaimTemplate "t" requesting 1 device
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: two, namespace: default}
      spec:
        resourceClaims:
          - {name: left, resourceClaimTemplateName: t}
          - {name: right, resourceClaimTemplateName: t}
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {claims: [{name: left}, {name: right}]}
      """
    When the cluster reaches a steady state
    Then pod "two" is Running
    When pod "two" finishes
    And the cluster reaches a steady state
    Then ResourceClaim "left of pod two" does not exist
    And ResourceClaim "right of pod two" does not exist

  @case:unused-claim-keeps-device
  @DRA/claim/manual-lifecycle
  Scenario: An allocated ResourceClaim that no pod uses keeps its device until it is deleted
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status: {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}}
      """
    And a ResourceClaim "both" requesting 2 devices
    And a pod "p" that uses ResourceClaim "both"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device |
      | gpu-0  |
    And pod "p" is Pending
    When ResourceClaim "c" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" does not exist
    And pod "p" is Running

  @case:recreated-pod-gets-new-claim
  @DRA/template/one-claim-per-pod
  Scenario: A recreated pod gets a new ResourceClaim while the old ResourceClaim is being deleted
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When ResourceClaim "gpu of pod p" is updated with
      | field               | value                                                           |
      | metadata.finalizers | [resource.kubernetes.io/delete-protection, example.com/keeps] |
    And pod "p" is deleted
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then since Kubernetes 1.33, because the document does not say how generated ResourceClaims are named: pod "p" is Running
    And since Kubernetes 1.33, because the document does not say how generated ResourceClaims are named: ResourceClaim "gpu of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp |       |
    When ResourceClaim "gpu of pod p" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "gpu of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp |       |

  @case:generated-claim-used-by-other-pod
  @DRA/claim/referencing-generated-claim
  Scenario: A generated ResourceClaim stays reserved for a second pod after its own pod finishes
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    And a pod "q" that uses ResourceClaim "c"
    When pod "p" is created
    And the cluster reaches a steady state
    And pod "q" is created with
      | field                                    | value                                                         |
      | spec.resourceClaims[0].resourceClaimName | {$name: {kind: ResourceClaim, forPod: default/p, entry: gpu}} |
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is reserved for pods "p, q"
    When pod "p" finishes
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is reserved for pod "q"
    But since Kubernetes 1.34, because a generated claim is deleted only when no pod uses it: ResourceClaim "gpu of pod p" is reserved for pod "q"
    But since Kubernetes 1.34, because a generated claim is deleted only when no pod uses it: ResourceClaim "gpu of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp | null  |
    When pod "q" finishes
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" does not exist

  @case:slice-owned-by-node
  @API/object/owners-gone
  Scenario: A ResourceSlice owned by a node is deleted together with the node
    Given a node "n1"
    And a node "n2"
    And the objects
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n3, uid: 4c7e9a12-8b3d-4f56-a1c2-7d9e0b4f3a01}
      status: {allocatable: {pods: 110}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata:
        name: n3-slice
        ownerReferences: [{apiVersion: v1, kind: Node, name: n3, uid: 4c7e9a12-8b3d-4f56-a1c2-7d9e0b4f3a01, controller: true}]
      spec:
        driver: dra.example.com
        nodeName: n3
        pool: {name: n3, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0}]
      """
    And the device
      | device | node | pool |
      | gpu-0  | n2   | n2   |
    When node "n3" is deleted
    And the cluster reaches a steady state
    Then ResourceSlice "n3-slice" does not exist
    And the spec of ResourceSlice "n2-slice" is unchanged

  @case:claim-with-two-owners
  @API/object/owners-gone
  Scenario: A ResourceClaim with two owners is deleted only after both owners are deleted
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: first, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
      spec: {containers: [{name: main, image: registry.k8s.io/pause:3.10}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: second, namespace: default, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}
      spec: {containers: [{name: main, image: registry.k8s.io/pause:3.10}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: c
        namespace: default
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: first, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
          - {apiVersion: v1, kind: Pod, name: second, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      """
    When pod "first" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" has
      | field                      | value |
      | metadata.name              | c     |
      | metadata.deletionTimestamp |       |
    When pod "second" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" does not exist

  @case:template-spec-copied
  @DRA/template/spec-copied
  Scenario: A generated ResourceClaim has the requests of its ResourceClaimTemplate
    Given a ResourceClaimTemplate "t" with the requests
      | request | count | selector                                              |
      | small   | 2     | device.attributes["dra.example.com"].size == "small"  |
      | any     | 1     |                                                       |
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" has
      | field                                                       | value                                                    |
      | spec.devices.requests[0].name                               | small                                                    |
      | spec.devices.requests[0].exactly.count                      | 2                                                        |
      | spec.devices.requests[0].exactly.selectors[0].cel.expression | device.attributes["dra.example.com"].size == "small" |
      | spec.devices.requests[1].name                               | any                                                      |
      | spec.devices.requests[1].exactly.selectors                  | null                                                     |
      | spec.devices.requests[2]                                    | null                                                     |

  @case:device-allocated-by-status-write
  @DRA/workflow/filter-criteria
  Scenario: A device allocated by a client's status update is not available to another pod
    Given the device
      | device | pool   | attribute size |
      | nic-0  | pool-2 | string large   |
    And a DeviceClass "any"
    And a ResourceClaim "c" with the request
      | request | deviceClassName | selector                                             |
      | r0      | any             | device.attributes["dra.example.com"].size == "small" |
    And a ResourceClaim "theirs" with the request
      | request | deviceClassName | selector                                             |
      | r0      | any             | device.attributes["dra.example.com"].size == "large" |
    And a ResourceClaim "d" with the request
      | request | deviceClassName | selector                                             |
      | r0      | any             | device.attributes["dra.example.com"].size == "large" |
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the status of ResourceClaim "theirs" is updated with
      | field             | value                                                                                                                                                                                              |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-2, device: nic-0}]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]}} |
    And a pod "r" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending
    And ResourceClaim "d" is not allocated
    When ResourceClaim "theirs" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Running

  @case:pod-waits-for-template
  @DRA/template/control-plane-checks-references
  Scenario: A pod stays Pending until its ResourceClaimTemplate exists
    When a pod "p" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "gpu of pod p" does not exist
    When 60 seconds pass
    And a ResourceClaimTemplate "t" requesting 1 device is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "gpu of pod p" is allocated 1 device

  @case:pod-waits-for-claim
  @DRA/template/control-plane-checks-references
  Scenario: A pod stays Pending until its ResourceClaim exists
    When a pod "p" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When a ResourceClaim "c" requesting 1 device is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is reserved for pod "p"

  @case:conflict-on-allocation-write
  @DRA/workflow/allocation-written-before-binding
  Scenario: A pod is scheduled although its ResourceClaim's first status update fails with Conflict
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the next 1 update of the status of a ResourceClaim by components fails with Conflict
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 1 device
    And ResourceClaim "c" is reserved for pod "p"

  @case:assigned-pod-gets-reservation
  @DRA/pre-scheduled/controller-reserves-allocated-claims
  Scenario: An allocated ResourceClaim is reserved for a pod created with nodeName
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "node-1"
    When a pod "q" on node "node-1" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pods "p, q"
    And pod "q" is Running on node "node-1"
    And ResourceClaim "c" keeps its allocation

  @case:assigned-pod-two-reservations
  @DRA/pre-scheduled/controller-reserves-allocated-claims
  Scenario: Two allocated ResourceClaims are both reserved for a pod created with nodeName
    Given a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "p" that uses ResourceClaims "c, d"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "node-1"
    When a pod "q" on node "node-1" that uses ResourceClaims "c, d" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pods "p, q"
    And ResourceClaim "d" is reserved for pods "p, q"
    And pod "q" is Running on node "node-1"

  @case:assigned-pod-unallocated-claim
  @DRA/pre-scheduled/controller-does-not-allocate
  Scenario: A pod created with nodeName stays Pending while its ResourceClaim is not allocated
    Given a ResourceClaim "c" requesting 1 device
    When a pod "p" on node "node-1" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is not allocated
    And ResourceClaim "c" is reserved for no pod

  @case:pod-waits-for-class
  @DRA/class/required-and-existing
  Scenario: A pod stays Pending until the DeviceClass of its ResourceClaim exists
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When this object is created
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {selectors: [{cel: {expression: 'device.driver == "dra.example.com"'}}]}
      """
    And the cluster reaches a steady state
    Then pod "p" is Running

  @case:allocated-claim-without-class
  @DRA/class/change-affects-later-allocations-only
  Scenario: A new pod can use an allocated ResourceClaim whose DeviceClass has been deleted
    Given a DeviceClass "gpu" with the selector
      """
      device.driver == "dra.example.com"
      """
    And a ResourceClaim "c" requesting 1 device of class "gpu"
    And a ResourceClaim "d" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "gpu" is deleted
    And a pod "q" that uses ResourceClaim "c" is created
    And a pod "r" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And pod "r" is Pending

  @case:class-change-keeps-allocation
  @DRA/class/change-affects-later-allocations-only
  Scenario: Changing or deleting a DeviceClass does not affect existing allocations
    Given a DeviceClass "gpu" with the selector
      """
      device.driver == "dra.example.com"
      """
    And a ResourceClaim "before" requesting 1 device of class "gpu"
    And a ResourceClaim "after" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "before"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "gpu" is updated with
      | field                            | value                                |
      | spec.selectors[0].cel.expression | device.driver == "other.example.com" |
    And a pod "q" that uses ResourceClaim "after" is created
    And the cluster reaches a steady state
    Then ResourceClaim "before" keeps its allocation
    And pod "q" is Pending
    When DeviceClass "gpu" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "before" keeps its allocation
    And pod "q" is Pending

  @case:stale-resource-version
  @API/object/written-meanwhile
  Scenario Outline: An update with a stale resourceVersion conflicts, but one without resourceVersion succeeds
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pod "p"
    When <of>
      | field                    | value  |
      | metadata.resourceVersion | '1'    |
      | metadata.labels          | {a: b} |
    Then the object is rejected as Conflict
    When <of>
      | field                    | value  |
      | metadata.resourceVersion | null   |
      | metadata.labels          | {a: b} |
    Then the object is stored

    Examples:
      | what   | of                                              |
      | object | ResourceClaim "c" is updated with               |
      | status | the status of ResourceClaim "c" is updated with |

  @case:owner-uid-mismatch
  @API/object/owners-gone
  Scenario: A ResourceClaim whose ownerReference UID does not match its owner is deleted
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: owner, namespace: default, uid: 5e1f7c40-92d3-4b7a-8e66-3c0a9d2b1f01}
      spec: {containers: [{name: main, image: registry.k8s.io/pause:3.10}]}
      """
    And this object is created
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: owned
        namespace: default
        ownerReferences: [{apiVersion: v1, kind: Pod, name: owner, uid: 5e1f7c40-92d3-4b7a-8e66-3c0a9d2b1f01}]
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any}}]}}
      """
    And the cluster reaches a steady state
    Then ResourceClaim "owned" does not exist

  @case:other-pod-keeps-generated-claim
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario Outline: A generated ResourceClaim stays when another pod of its ResourceClaimTemplate <ends>
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod q" is reserved for pod "q"
    When pod "p" <ends>
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" does not exist
    And pod "q" is Running
    And ResourceClaim "gpu of pod q" keeps its allocation
    And ResourceClaim "gpu of pod q" is reserved for pod "q"
    And ResourceClaim "gpu of pod q" has
      | field                      | value |
      | metadata.deletionTimestamp |       |

    @key:ends
    Examples:
      | ends       |
      | is deleted |
      | finishes   |

  @case:replaced-template
  @DRA/template/spec-copied
  Scenario: A new pod's ResourceClaim is generated from a recreated ResourceClaimTemplate
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is allocated 1 device
    When pod "p" is deleted
    And ResourceClaimTemplate "t" is deleted
    And a ResourceClaimTemplate "t" requesting 2 devices is created
    And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "gpu of pod q" is allocated 2 devices

  @case:claim-keeps-spec-of-replaced-template
  @DRA/template/spec-copied
  Scenario: A generated ResourceClaim does not change when its ResourceClaimTemplate is replaced
    Given a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is allocated 1 device
    When ResourceClaimTemplate "t" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "gpu of pod p" keeps its allocation
    When a ResourceClaimTemplate "t" requesting 2 devices is created
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" keeps its allocation
    And ResourceClaim "gpu of pod p" has
      | field                                   | value |
      | spec.devices.requests[0].exactly.count  | 1     |
      | metadata.deletionTimestamp              |       |

  @case:pod-of-another-pod
  @DRA/template/claim-bound-to-pod-lifetime
  Scenario: A generated ResourceClaim is deleted with its pod although the pod's owner still exists
    Given a ResourceClaimTemplate "t" requesting 1 device
    And the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: leader, namespace: default, uid: 0d2f4f7e-5d2c-4f0e-9a55-6f6a5d8f1a31}
      spec:
        containers: [{name: main, image: registry.k8s.io/pause:3.10}]
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: worker
        namespace: default
        uid: 0d2f4f7e-5d2c-4f0e-9a55-6f6a5d8f1a32
        ownerReferences:
        - {apiVersion: v1, kind: Pod, name: leader, uid: 0d2f4f7e-5d2c-4f0e-9a55-6f6a5d8f1a31, controller: true}
      spec:
        resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
      """
    When the cluster reaches a steady state
    Then pod "worker" is Running
    And ResourceClaim "gpu of pod worker" is reserved for pod "worker"
    When pod "worker" is deleted
    And the cluster reaches a steady state
    Then pod "leader" is Running
    And ResourceClaim "gpu of pod worker" does not exist

  @case:deleted-claim-keeps-devices
  @DRA/workflow/filter-criteria
  Scenario: A ResourceClaim that is deleted while a pod uses it keeps its devices until the pod ends
    Given a ResourceClaim "c" requesting 2 devices
    And a ResourceClaim "d" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When ResourceClaim "c" is deleted
    And a pod "q" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pod "p"
    And pod "q" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" does not exist
    And pod "q" is Running
