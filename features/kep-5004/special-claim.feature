Feature: Extended-resource claim of a pod
  The scheduler creates one ResourceClaim for all extended resources of a pod that DeviceClasses back on its node.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |
      | gpu-2  |

  @case:owner-and-annotation
  @KEP-5004/special-claim/namespace-and-owner @KEP-5004/special-claim/annotation
  @KEP-5004/special-claim/no-pod-claim-name-annotation
  Scenario: An extended-resource claim is owned by its pod and has the extended-resource annotation
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      """
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                                                   | value                                |
      | metadata.namespace                                                      | default                              |
      | metadata.ownerReferences[0].kind                                        | Pod                                  |
      | metadata.ownerReferences[0].name                                        | p                                    |
      | metadata.ownerReferences[0].uid                                         | 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11 |
      | metadata.annotations[resource.kubernetes.io/extended-resource-claim]  | p                                    |
      | metadata.annotations[resource.kubernetes.io/pod-claim-name]           |                                      |
    But since Kubernetes 1.34, because the annotation of an extended-resource claim has the value true: ResourceClaim "extended resources of pod p" has
      | field                                                                   | value                                |
      | metadata.namespace                                                      | default                              |
      | metadata.ownerReferences[0].kind                                        | Pod                                  |
      | metadata.ownerReferences[0].name                                        | p                                    |
      | metadata.ownerReferences[0].uid                                         | 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11 |
      | metadata.annotations[resource.kubernetes.io/extended-resource-claim]  | 'true'                               |
      | metadata.annotations[resource.kubernetes.io/pod-claim-name]           |                                      |

  @case:separate-from-template-claim
  @KEP-5004/special-claim/annotation @KEP-5004/special-claim/no-pod-claim-name-annotation
  @KEP-5004/special-claim/separate-from-pod-claims @KEP-5004/pod-status/independent-of-resource-claim-statuses
  Scenario: A pod gets a claim from a template and an extended-resource claim with different devices
    Given a ResourceClaimTemplate "t" requesting 1 device of class "gpu"
    And a pod "p" that uses the ResourceClaimTemplate "t" and requests 2 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "t of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And ResourceClaim "t of pod p" has
      | field                                                                  | value |
      | metadata.annotations[resource.kubernetes.io/pod-claim-name]          | t     |
      | metadata.annotations[resource.kubernetes.io/extended-resource-claim] |       |
    And ResourceClaim "extended resources of pod p" has
      | field                                                         | value |
      | metadata.annotations[resource.kubernetes.io/pod-claim-name] |       |
    And pod "p" has
      | field                              | value |
      | status.resourceClaimStatuses[0].name | t   |
      | status.resourceClaimStatuses[1]    |       |
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:not-all-claims-fit
  @KEP-5004/special-claim/separate-from-pod-claims @KEP-5004/scheduling-phase/allocator-takes-claim-per-node
  @KEP-5004/special-claim/not-created-when-unschedulable
  Scenario: A pod stays Pending without any allocation if not all its claims can be allocated
    Given a ResourceClaim "c" requesting 2 devices of class "gpu"
    And a pod "p" that uses ResourceClaim "c" and requests 2 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is not allocated
    And pod "p" has no extended-resource claim

  @case:claims-together-use-all-devices
  @KEP-5004/scheduling-phase/allocator-takes-claim-per-node @KEP-5004/special-claim/separate-from-pod-claims
  Scenario: A ResourceClaim and the extended-resource claim of a pod together get all devices
    Given a ResourceClaim "c" requesting 2 devices of class "gpu"
    And a pod "p" that uses ResourceClaim "c" and requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 2 devices
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:count-allocation-reservation
  @KEP-5004/special-claim/status-allocation-and-reservation @KEP-5004/pod-status/set-after-binding
  @KEP-5004/special-claim/request-content @KEP-5004/special-claim/ordinary-claim-semantics
  Scenario: An extended-resource claim has an exact count, an allocation and a reservation
    Given a pod "p" that requests 2 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value      |
      | spec.devices.requests[0].exactly.deviceClassName | gpu        |
      | spec.devices.requests[0].exactly.allocationMode  | ExactCount |
      | spec.devices.requests[0].exactly.count           | 2          |
      | spec.devices.requests[1]                         |            |
      | status.reservedFor[0].resource                   | pods       |
      | status.reservedFor[1]                            |            |
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:no-extended-resource-no-claim
  @KEP-5004/diagnostics/feature-in-use
  @KEP-5004/scheduling-phase/prefilter-skips-uninvolved-pods
  Scenario: A pod without extended resources gets no extended-resource claim
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" without ResourceClaims
    And a pod "q" that uses ResourceClaim "c"
    And a pod "r" with the container
      | container | limit cpu  | limit memory |
      | c0        | 100m | 1Gi    |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has no extended-resource claim
    And pod "q" is Running
    And pod "q" has no extended-resource claim
    And pod "r" is Running
    And pod "r" has no extended-resource claim

  @case:unschedulable-pod-no-claim
  @KEP-5004/special-claim/not-created-when-unschedulable
  Scenario Outline: A pod that cannot be scheduled gets no extended-resource claim
    Given a pod "p" with the container
      | container | limit example.com/gpu | limit example.com/other |
      | c0        | <gpus>          | <others>          |
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    Examples:
      | what             | gpus | others |
      | devices          | 4    |        |
      | another resource | 1    | 1      |

  @case:device-in-use
  @KEP-5004/special-claim/ordinary-claim-semantics
  Scenario: A device of an extended-resource claim cannot be allocated to a ResourceClaim
    Given a pod "p" that requests 3 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When a ResourceClaim "c" requesting 1 device of class "gpu" is created
    And a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "c" is not allocated

  @case:no-static-partition
  @KEP-5004/node-backing/no-static-partition
  Scenario: ResourceClaims and extended resources share the devices without static partitioning
    Given a ResourceClaim "c" requesting 2 devices of class "gpu"
    When a pod "p" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 2 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And pod "r" is Running
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" is allocated 2 devices

  @case:foreign-claim-not-used
  @KEP-5004/special-claim/not-confused-with-foreign-claims
  Scenario Outline: A ResourceClaim that only resembles the extended-resource claim of a pod is not used
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: other, namespace: default, uid: 0d9b4cb3-52a5-4d0e-b9ad-66b2d3a1a111}
      spec:
        schedulingGates: [{name: wait}]
        containers: [{name: main, image: 'registry.k8s.io/pause:3.10'}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-extended-resources-8s27z
        namespace: default
        annotations: <annotations>
        ownerReferences: <owners>
      spec:
        devices:
          requests: [{name: container-0-request-0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]
      """
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" has
      | field         | value                      |
      | metadata.name | p-extended-resources-8s27z |
    And ResourceClaim "p-extended-resources-8s27z" is not allocated
    And ResourceClaim "extended resources of pod p" is allocated 1 device

    Examples:
      | which                               | annotations                                              | owners |
      | that is only named like it          | {}                                                       | [] |
      | of a pod that had its name          | {resource.kubernetes.io/extended-resource-claim: 'true'} | [{apiVersion: v1, kind: Pod, name: other, uid: 0d9b4cb3-52a5-4d0e-b9ad-66b2d3a1a111, controller: true}] |
      | that the pod owns for another reason | {}                                                      | [{apiVersion: v1, kind: Pod, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11, controller: true}] |

  @case:long-pod-name
  @KEP-5004/special-claim/generated-name
  Scenario: A pod with a long name gets an extended-resource claim with a valid name
    Given a pod "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.pppppppppppppppppppppppppppppppppppppppppppppppppppppppppp" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.pppppppppppppppppppppppppppppppppppppppppppppppppppppppppp" is Running
    But since Kubernetes 1.34, because the name of an extended-resource claim contains the whole pod name even if the name is long: pod "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp.pppppppppppppppppppppppppppppppppppppppppppppppppppppppppp" is Pending

  @case:two-classes-one-claim
  @KEP-5004/special-claim/at-most-one-per-pod @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: Two extended resources of two DeviceClasses share one extended-resource claim
    Given a DeviceClass "nic" for extended resource "foo.domain/nic"
    And a pod "p" that requests 1 of "example.com/gpu" and 2 of "foo.domain/nic"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 3 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
      | main          | foo.domain/nic  |

  @case:one-claim-for-three-containers
  @KEP-5004/limits/pod-status-and-class-growth @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: Two extended resources of three containers lead to one ResourceClaim and one status struct
    Given a DeviceClass "nic" for extended resource "foo.domain/nic"
    And a ResourceQuota "q" with the hard limits 9 of "count/resourceclaims.resource.k8s.io"
    And a pod "p" with the containers
      | container | kind | limit example.com/gpu | limit foo.domain/nic |
      | i0        | init | 1                     |                      |
      | c0        |      | 1                     |                      |
      | c1        |      |                       | 1                    |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceQuota "q" reports 1 of "count/resourceclaims.resource.k8s.io" as used
    When pod "p" is read
    Then the field "status.extendedResourceClaimStatus.resourceClaimName" is set

  @case:node-resources-not-in-claim
  @KEP-5004/special-claim/only-dra-backed-resources
  @KEP-5004/mixed-nodes/backing-differs-per-resource
  @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes
  Scenario: An extended-resource claim does not request CPU, memory or device plugin resources
    Given a node "node-1" with allocatable 4 of "cpu" and 2 of "vendor.com/fpga"
    And a pod "p" with the container
      | container | limit cpu | limit memory | limit example.com/gpu | limit vendor.com/fpga |
      | c0        | 2   | 1Gi    | 1               | 1               |
    And a pod "q" that requests 2 of "vendor.com/fpga"
    When the cluster reaches a steady state
    And pod "q" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |
    And pod "q" is Pending
