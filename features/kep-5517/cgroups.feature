Feature: Cgroups of pods with node resources of ResourceClaims
  The kubelet sets CPU and memory of a pod's cgroup by the pod spec. CPU shares are 1024 for each requested CPU.

  Background:
    Given DRA driver "dra.example.com" on the node

  @case:limits-of-the-spec
  @KEP-5517/kubelet/cgroups-from-spec-only
  Scenario: The cgroup of a pod has requests and limits of its containers, not of its ResourceClaim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" with the container
      | container | request cpu | request memory | limit cpu | limit memory | claims |
      | main      | 1           | 1Gi            | 2         | 2Gi          | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource memory |
      | c             | main       | 4            | 8Gi             |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And the cgroup of pod "p" has 1024 CPU shares, the CPU limit "2" and the memory limit "2Gi"
    But since Kubernetes 1.37, because the kubelet adds the resources of ResourceClaims: the cgroup of pod "p" has 5120 CPU shares, the CPU limit "6" and the memory limit "10Gi"

  @case:guaranteed-pod
  @KEP-5517/kubelet/cgroups-from-spec-only
  Scenario: The cgroup of a Guaranteed pod has no more CPUs and memory than the pod spec
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" with the container
      | container | request cpu | request memory | limit cpu | limit memory | claims |
      | main      | 2           | 2Gi            | 2         | 2Gi          | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 1            |
    When the kubelet prepares pod "p"
    Then the cgroup of pod "p" has 2048 CPU shares, the CPU limit "2" and the memory limit "2Gi"
    But since Kubernetes 1.37, because the kubelet adds the resources of ResourceClaims: the cgroup of pod "p" has 3072 CPU shares, the CPU limit "3" and the memory limit "2Gi"

  @case:claim-only
  @KEP-5517/kubelet/cgroups-from-spec-only
  Scenario: The cgroup of a pod whose CPUs are only from a ResourceClaim has the fewest CPU shares
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |
    When the kubelet prepares pod "p"
    Then the cgroup of pod "p" has 2 CPU shares and no limits

  @case:requests-without-limits
  @KEP-5517/kubelet/cgroups-from-spec-only
  Scenario: CPUs of a ResourceClaim do not change the CPU shares of a pod with requests
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" with the containers
      | container | request cpu | claims |
      | main      | 500m        | c      |
      | other     | 1           |        |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 2            |
    When the kubelet prepares pod "p"
    Then the cgroup of pod "p" has 1536 CPU shares and no limits
    But since Kubernetes 1.37, because the kubelet adds the resources of ResourceClaims: the cgroup of pod "p" has 3584 CPU shares and no limits

  @case:pod-level-limits
  @KEP-5517/kubelet/cgroups-from-spec-only
  Scenario: Pod-level limits allow a pod to use the CPUs and the memory of its ResourceClaim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" with the container
      | container | request cpu | request memory | claims |
      | main      | 1           | 1Gi            | c      |
    And pod "p" requests 3 of "cpu" and 5Gi of "memory" at pod level
    And pod "p" is limited to 4 of "cpu" and 8Gi of "memory" at pod level
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource memory |
      | c             | main       | 2            | 4Gi             |
    When the kubelet prepares pod "p"
    Then the cgroup of pod "p" has 3072 CPU shares, the CPU limit "4" and the memory limit "8Gi"

  @profile:kep-future
  Rule: Cgroups in the future

    @case:limits-of-spec-and-claim
    @KEP-5517/kubelet/cgroups-include-dra
    Scenario Outline: The cgroup of a pod has the sum of its containers and its ResourceClaim
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And a pod "p" with the container
        | container | request cpu | request memory | limit cpu | limit memory | claims |
        | main      | <request>   | <memory>       | 2         | 2Gi          | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource memory |
        | c             | main       | 4            | 8Gi             |
      When the kubelet prepares pod "p"
      Then the cgroup of pod "p" has <shares> CPU shares, the CPU limit "6" and the memory limit "10Gi"

      Examples:
        | request | memory | shares |
        | 1       | 1Gi    | 5120   |
        | 2       | 2Gi    | 6144   |

    @case:requests-of-spec-and-claims
    @KEP-5517/kubelet/cgroups-include-dra
    Scenario: The CPU shares of a pod are the sum of its two containers and its two ResourceClaims
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And ResourceClaim "d" is already allocated
        | device |
        | gpu-1  |
      And a pod "p" with the containers
        | container | request cpu | claims |
        | main      | 500m        | c, d   |
        | other     | 1           | d      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers  | resource cpu |
        | c             | main        | 2            |
        | d             | main, other | 1500m        |
      When the kubelet prepares pod "p"
      Then the cgroup of pod "p" has 5120 CPU shares and no limits
