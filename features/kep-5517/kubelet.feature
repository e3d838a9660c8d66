Feature: Kubelet admission of pods with ResourceClaims
  A kubelet computes the node resource usage of a pod like the scheduler, from the spec and the status of the pod.

  Background:
    Given a node "node-1" with allocatable 8 of "cpu"
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: first, namespace: default}
      spec:
        nodeName: node-1
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {requests: {cpu: "4"}}}]
      status: {phase: Running}
      """

  @case:claim-counts-in-admission
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/pod-footprint/one-helper-for-all-consumers
  Scenario Outline: The kubelet admits a pod only if its CPU request plus the CPUs of its ResourceClaim fit
    Given a ResourceClaim "c" requesting 1 device
    And the device
      | device | mapping cpu |
      | xpu    | <claim>     |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | <claim>      |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value    |
      | status.phase | <phase>  |
    But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "p" has
      | field         | value    |
      | status.phase  | <phase>  |
      | status.reason | <reason> |

    Examples:
      | claim | phase   | reason   |
      | 3     | Running |          |
      | 4     | Failed  | OutOfcpu |

  @case:unreferenced-claim-counts-in-admission
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/accounting/unreferenced-claim-still-counted
  @profile:kep @profile:since-1.37
  Scenario Outline: The kubelet counts a ResourceClaim that no container uses before it admits the pod
    Given a ResourceClaim "c" requesting 1 device
    And the device
      | device | mapping cpu |
      | xpu    | <claim>     |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" that uses ResourceClaim "c" with the container
      | container | request cpu |
      | main      | 1           |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | resource cpu |
      | c             | <claim>      |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value    |
      | status.phase | <phase>  |

    Examples:
      | claim | phase   |
      | 3     | Running |
      | 4     | Failed  |

  @case:two-claims-count-in-admission
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/accounting/different-claims-on-different-containers-sum
  Scenario Outline: The kubelet counts all ResourceClaims of a pod before it admits the pod
    Given the devices
      | device | mapping cpu |
      | xpu-1  | 1           |
      | xpu-2  | <claim>     |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu-1  |
    And ResourceClaim "d" is already allocated
      | device |
      | xpu-2  |
    And a pod "p" on node "node-1" with the containers
      | container | kind | request cpu | claims |
      | first     | init | 1           | c      |
      | main      | app  | 1           | d      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | first      | 1            |
      | d             | main       | <claim>      |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | claim | phase   |
      | 2     | Running |
      | 2001m | Failed  |

  @case:pod-of-other-namespace-counts
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/accounting/ledger-is-sum-of-footprints
  Scenario Outline: The kubelet counts the running pods of all namespaces with their ResourceClaims
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: other, namespace: team-b}
      spec:
        nodeName: node-1
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {requests: {cpu: "1"}}}]
        resourceClaims: [{name: c, resourceClaimName: theirs}]
      status:
        phase: Running
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: theirs, containers: [main], resources: {cpu: "2"}, mapping: [{name: cpu, quantity: "2"}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: theirs, namespace: team-b}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      """
    And a pod "p" on node "node-1" with the container
      | container | request cpu |
      | main      | <request>   |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | request | phase   |
      | 1       | Running |
      | 1001m   | Failed  |

  @case:admitted-pod-counts-with-claim
  @KEP-5517/kubelet/admission-uses-combined-footprint
  Scenario: The kubelet rejects a pod that does not fit next to an admitted pod with a ResourceClaim
    Given the device
      | device | mapping cpu |
      | xpu    | 3           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 3            |
    When the cluster reaches a steady state
    Then pod "p" is Running
    When a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | 1           |
    And the cluster reaches a steady state
    Then pod "next" has
      | field        | value  |
      | status.phase | Failed |
    But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "next" has
      | field         | value    |
      | status.phase  | Failed   |
      | status.reason | OutOfcpu |

  @case:allocatable-reduced
  @KEP-5517/kubelet/admission-uses-combined-footprint
  Scenario: A running pod keeps running when node allocatable shrinks, but a new pod is not admitted
    Given the device
      | device | mapping cpu |
      | xpu    | 3           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 3            |
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the status of node "node-1" is updated with
      | field                  | value |
      | status.allocatable.cpu | '7'   |
    And a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | 1m          |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "next" has
      | field        | value  |
      | status.phase | Failed |
    But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "p" is Running
    But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "next" has
      | field         | value    |
      | status.phase  | Failed   |
      | status.reason | OutOfcpu |

  @case:rejected-pod-uses-nothing
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/lifecycle/kubelet-rejection-reverts
  Scenario: A pod that the kubelet has rejected no longer uses node resources
    Given the device
      | device | mapping cpu |
      | xpu    | 4           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value  |
      | status.phase | Failed |
    When a pod "next" with the container is created
      | container | request cpu |
      | main      | 4           |
    And the cluster reaches a steady state
    Then pod "next" is Running

  @case:two-bound-pods-one-counts
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/lifecycle/kubelet-rejection-reverts
  Scenario Outline: Of two pods bound at once that do not both fit, exactly one uses node resources
    Given the devices
      | device | mapping cpu |
      | xpu-1  | 2           |
      | xpu-2  | 2           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu-1  |
    And ResourceClaim "d" is already allocated
      | device |
      | xpu-2  |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And a pod "q" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | d      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 2            |
    And pod "q" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | d             | main       | 2            |
    When the cluster reaches a steady state
    And a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | <cpu>       |
    And the cluster reaches a steady state
    Then pod "next" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | cpu   | phase   |
      | 1     | Running |
      | 1001m | Failed  |

  @case:pod-level-request-counts
  @KEP-5517/kubelet/admission-respects-pod-level
  Scenario Outline: The kubelet counts the pod-level request, not container request plus ResourceClaim
    Given the device
      | device | mapping cpu |
      | xpu    | 3           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" requests <whole> of "cpu" at pod level
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 3            |
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | whole | phase   |
      | 4     | Running |
      | 5     | Failed  |

  @case:gate-off-counts-requests-only
  @KEP-5517/kubelet/gate-off-admits-on-spec @KEP-5517/feature-gate/components
  Scenario: A kubelet with DRANodeAllocatableResources off counts only requests in the pod spec
    Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
    And the device
      | device | mapping cpu |
      | xpu    | 4           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |
    When the cluster reaches a steady state
    Then pod "p" is Running

  @case:kubelet-1.35-counts-requests-only
  @KEP-5517/version-skew/old-kubelet-admits-on-spec-only
  Scenario: A kubelet of Kubernetes 1.35 counts only the requests in the pod spec
    Given the kubelet runs Kubernetes 1.35
    And the device
      | device | mapping cpu |
      | xpu    | 4           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |
    When the cluster reaches a steady state
    Then pod "p" is Running

  @case:claim-placed-by-scheduler-counts
  @KEP-5517/pod-footprint/one-helper-for-all-consumers
  Scenario Outline: The kubelet counts the ResourceClaim CPUs of a pod that the scheduler placed
    Given the device
      | device | mapping cpu |
      | xpu    | 2           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When the cluster reaches a steady state
    Then pod "first" is Running
    And pod "p" <placed>
    When a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | <cpu>       |
    And the cluster reaches a steady state
    Then pod "next" has
      | field        | value   |
      | status.phase | <phase> |
    But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "next" is Running

    Examples:
      | cpu   | placed     | phase   |
      | 1     | is Running | Running |
      | 1001m | is Running | Failed  |

  @case:pod-overhead-counts
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/pod-footprint/overhead-added-last
  Scenario Outline: The kubelet admits a pod only if its request, its ResourceClaim and its pod overhead fit
    Given the device
      | device | mapping cpu |
      | xpu    | 2           |
    And ResourceClaim "c" is already allocated
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 2            |
    And pod "p" has an overhead of <overhead> of "cpu"
    When the cluster reaches a steady state
    Then pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | overhead | phase   |
      | 1        | Running |
      | 1001m    | Failed  |
