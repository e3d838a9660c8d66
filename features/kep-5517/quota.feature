Feature: Quota usage of pods with ResourceClaims
  ResourceQuota counts the requests in the pod spec, not the node resources that ResourceClaims add.

  @case:cpu-counts-spec-only
  @KEP-5517/accounting/quota-counts-spec-only
  Scenario: ResourceQuota counts the CPU request of a pod, not the CPUs of its ResourceClaim
    Given the devices
      | device | mapping cpu |
      | cpus   | 30          |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And ResourceClaim "c" is already allocated
      | device |
      | cpus   |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 1 of "requests.cpu"
    And the namespace uses 1 of "cpu"

  @case:exhausted-quota-admits-claim
  @KEP-5517/accounting/quota-counts-spec-only
  Scenario: An exhausted CPU quota admits a pod that has CPUs only from a ResourceClaim
    Given the devices
      | device | mapping cpu |
      | cpus   | 4           |
    And a ResourceQuota "q" with the hard limits 1 of "requests.cpu"
    And a ResourceClaim "c" requesting 1 device
    When the cluster reaches a steady state
    And a pod "full" with the container is created
      | container | request cpu |
      | main      | 1           |
    Then the object is stored
    When a pod "more" with the container is created
      | container | request cpu |
      | main      | 1           |
    Then the object is rejected
    But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
    When a pod "p" with the container is created
      | container | request cpu | claims |
      | main      | 0           | c      |
    Then the object is stored
    When the cluster reaches a steady state
    Then ResourceQuota "q" reports 1 of "requests.cpu" as used

  @case:future-usage-includes-claims
  @KEP-5517/accounting/quota-includes-dra @profile:kep-future
  Scenario: In a future release, quotas add nodeAllocatableResourceClaimStatuses to the requests
    Given a pod "p" with the container
      | container | request cpu | request memory | claims |
      | main      | 1           | 1Gi            | c      |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource hugepages-1Gi |
      | c             | main       | 4            | 2Gi                    |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 5 of "requests.cpu"
    And the namespace uses 1Gi of "requests.memory"
    And the namespace uses 2Gi of "requests.hugepages-1Gi"

  @case:future-quota-used-up-by-claim
  @KEP-5517/accounting/quota-includes-dra @profile:kep-future
  Scenario: In a future release, quotas count the CPUs of the ResourceClaim of a running pod
    Given a node "node-1" with allocatable 64 of "cpu"
    And the devices
      | device | mapping cpu      |
      | cpus   | 4 as AddPerClaim |
    And a ResourceQuota "q" with the hard limits 5 of "requests.cpu"
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceQuota "q" reports 5 of "requests.cpu" as used
    When a pod "more" with the container is created
      | container | request cpu |
      | main      | 1m          |
    Then the object is rejected
    But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
