@profile:since-1.37
Feature: Device overhead for each pod and each container
  Since Kubernetes 1.37 a device publishes its overhead separately from its mapping: a quantity for each pod and a
  quantity for each container that uses the device.

  @case:overhead-per-pod-and-container
  @KEP-5517/mapping/auxiliary-accelerator-representation @KEP-5517/accounting/claim-counted-once-per-pod
  Scenario Outline: Device overhead counts once per pod and once per container that uses the device
    Given the device
      | device | overhead cpu                  |
      | gpu0   | 200m per pod, 50m per container |
    And a pod "p" with the containers
      | container | request cpu | claims   |
      | c1        | 500m        | c        |
      | c2        | 500m        | <second> |
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
    When the node resource usage of pod "p" is computed
    Then the pod uses <total> of "cpu"

    Examples:
      | containers | second | total |
      | one        |        | 1250m |
      | two        | c      | 1300m |

  @case:overhead-of-shared-device
  @KEP-5517/mapping/key-and-multiplier-mixed-on-one-device
  Scenario: Device overhead is added to the consumed capacity of a shared device
    Given the device
      | device | allowMultipleAllocations | capacity cores | mapping cpu | overhead cpu |
      | cpu0   | yes                      | 8              | cores       | 100m per pod |
    And a pod "p" that uses ResourceClaim "c"
    And ResourceClaim "c" is already allocated
      | device | shareID | consumedCapacity cores |
      | cpu0   | s1      | 3                      |
    When the node resource usage of pod "p" is computed
    Then the pod uses 3100m of "cpu"

  @case:overhead-of-two-devices
  @KEP-5517/accounting/several-devices-in-one-claim-sum
  Scenario: The overheads of two devices of one ResourceClaim are added up
    Given the devices
      | device | overhead memory |
      | gpu0   | 1Gi per pod     |
      | gpu1   | 2Gi per pod     |
    And a pod "p" that uses ResourceClaim "c"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
      | gpu1   |
    When the node resource usage of pod "p" is computed
    Then the pod uses 3Gi of "memory"

  @case:overhead-of-unreferenced-claim
  @KEP-5517/accounting/unreferenced-claim-still-counted
  Scenario: A ResourceClaim that no container references adds no device overhead per container
    Given the device
      | device | overhead cpu               |
      | gpu0   | 1 per pod, 1 per container |
    And a pod "p" that uses ResourceClaim "c" with the container
      | container |
      | main      |
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
    When the node resource usage of pod "p" is computed
    Then the pod uses 1 of "cpu"

  @case:overhead-only-claim-shared
  @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable
  Scenario: Two pods can use a ResourceClaim whose device has an overhead and no mapping
    Given the device
      | device | overhead cpu |
      | gpu0   | 1 per pod    |
    And a pod "first" on node "node-1" that uses ResourceClaim "c"
    And a pod "p" that uses ResourceClaim "c"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
    When the node resource usage of pod "p" is computed
    Then the pod uses 1 of "cpu"

  @case:recorded-overhead-counts
  @KEP-5517/pod-footprint/amounts-come-from-pod-status
  Scenario: Device overhead in nodeAllocatableResourceClaimStatuses is added to the pod's node usage
    Given a pod "p" with the containers
      | container | request cpu | claims |
      | c1        | 1           | c      |
      | c2        | 1           | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | overhead cpu                     |
      | c             | c1, c2     | 3            | 100m per pod, 250m per container |
    When the node resource usage of pod "p" is computed from its status
    Then the pod uses 5600m of "cpu"

  @case:overhead-over-pod-level-request
  @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
  Scenario: Container request plus device overhead must not exceed the pod-level request
    Given the device
      | device | overhead cpu |
      | gpu0   | 2 per pod    |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" requests 2 of "cpu" at pod level
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
    When the node resource usage of pod "p" is computed
    Then the node resource usage cannot be computed because of OverBudget

  @case:overhead-of-three-containers
  @KEP-5517/mapping/auxiliary-accelerator-representation @KEP-5517/accounting/claim-counted-once-per-pod
  Scenario Outline: Overhead per container counts for each of three containers that use the device
    Given the device
      | device | overhead cpu                    |
      | gpu0   | 200m per pod, 50m per container |
    And a pod "p" with the containers
      | container | request cpu | claims   |
      | c1        | 100m        | c        |
      | c2        | 100m        | <second> |
      | c3        | 100m        | <third>  |
    And ResourceClaim "c" is already allocated
      | device |
      | gpu0   |
    When the node resource usage of pod "p" is computed
    Then the pod uses <total> of "cpu"

    Examples:
      | second | third | total |
      |        |       | 550m  |
      |        | c     | 600m  |
      | c      | c     | 650m  |
