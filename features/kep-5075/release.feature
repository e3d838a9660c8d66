Feature: Capacity after the release of a ResourceClaim

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 0        |

  @case:pending-pod-runs-after-release
  @KEP-5075/lifecycle/release-frees-capacity @KEP-5075/lifecycle/pending-pod-starts-after-release
  Scenario: A Pending pod runs after another pod and its generated ResourceClaim are deleted
    Given a ResourceClaimTemplate "six" requesting 6 of "bw"
    And a pod "p" that uses the ResourceClaimTemplate "six" as "nic"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "nic of pod p" consumes 6 of "bw"
    When a pod "q" that uses the ResourceClaimTemplate "six" as "nic" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "nic of pod q" is not allocated
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "nic of pod q" consumes 6 of "bw"

  @case:release-frees-too-little
  @KEP-5075/lifecycle/pending-pod-stays-if-still-too-big
  Scenario: A pod stays Pending if the release of a ResourceClaim frees too little capacity
    Given a ResourceClaim "first" requesting 4 of "bw"
    And a ResourceClaim "second" requesting 4 of "bw"
    And a ResourceClaim "big" requesting 8 of "bw"
    And a pod "p" that uses ResourceClaim "first"
    And a pod "q" that uses ResourceClaim "second"
    When the cluster reaches a steady state
    And a pod "r" that uses ResourceClaim "big" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Pending
    And ResourceClaim "big" is not allocated
    When pod "q" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Running

  @case:release-frees-both-devices
  @KEP-5075/lifecycle/claim-with-several-shares
  Scenario: A released ResourceClaim frees its shared allocations of two devices
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth2   | yes                      | 10          | default 0        |
    And a ResourceClaim "pair" with the request
      | request | count | capacity bw |
      | r0      | 2     | 6           |
    And a ResourceClaim "next" with the request
      | request | count | capacity bw |
      | r0      | 2     | 6           |
    And a pod "p" that uses ResourceClaim "pair"
    When the cluster reaches a steady state
    Then ResourceClaim "pair" is allocated 2 devices
    When a pod "q" that uses ResourceClaim "next" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "next" is allocated 2 devices
    And ResourceClaim "pair" is not allocated

  @case:claim-kept-until-last-pod
  @KEP-5075/lifecycle/claim-kept-while-used
  Scenario: A ResourceClaim shared by two pods stays allocated until the last pod is deleted
    Given a ResourceClaim "common" requesting 6 of "bw"
    And a ResourceClaim "next" requesting 6 of "bw"
    And a pod "p" that uses ResourceClaim "common"
    And a pod "q" that uses ResourceClaim "common"
    When the cluster reaches a steady state
    Then ResourceClaim "common" is reserved for pods "p, q"
    When a pod "r" that uses ResourceClaim "next" is created
    And pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "common" keeps its allocation
    And ResourceClaim "common" is reserved for pod "q"
    And pod "r" is Pending
    When pod "q" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "common" is not allocated
    And pod "r" is Running

  @case:full-capacity-after-last-share
  @KEP-5075/lifecycle/release-of-last-share-makes-device-free
  Scenario: The full capacity is available after the last shared allocation is released
    Given a ResourceClaim "first" requesting 3 of "bw"
    And a ResourceClaim "second" requesting 4 of "bw"
    And a ResourceClaim "everything" requesting 10 of "bw"
    And a pod "p" that uses ResourceClaim "first"
    And a pod "q" that uses ResourceClaim "second"
    When the cluster reaches a steady state
    And a pod "r" that uses ResourceClaim "everything" is created
    And pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Pending
    When pod "q" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Running
    And ResourceClaim "everything" consumes 10 of "bw"

  @case:zero-consumption-has-no-effect
  @KEP-5075/lifecycle/zero-consumption-release
  Scenario: Shared allocations that consume zero do not affect other allocations
    Given a ResourceClaim "everything" requesting 10 of "bw"
    And a ResourceClaim "nothing" requesting no capacity
    And a ResourceClaim "nothing-either" requesting no capacity
    And a pod "p" that uses ResourceClaim "everything"
    And a pod "q" that uses ResourceClaim "nothing"
    When the cluster reaches a steady state
    Then ResourceClaim "everything" consumes 10 of "bw"
    And ResourceClaim "nothing" consumes 0 of "bw"
    When pod "q" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "everything" keeps its allocation
    And ResourceClaim "nothing" is not allocated
    When a pod "r" that uses ResourceClaim "nothing-either" is created
    And the cluster reaches a steady state
    Then pod "r" is Running
    And ResourceClaim "everything" keeps its allocation

  @case:unused-claim-keeps-capacity
  @KEP-5075/capacity-accounting/aggregate-across-claims
  Scenario: An allocated ResourceClaim that no pod uses consumes its capacity until it is deleted
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: unused, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
      spec:
        devices:
          requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1, capacity: {requests: {bw: "6"}}}}]
      status:
        allocation:
          devices:
            results:
              - request: r0
                driver: dra.example.com
                pool: pool-1
                device: eth1
                shareID: a671734a-e8e5-41e4-8fde-42010af09327
                consumedCapacity: {bw: "6"}
      """
    And a ResourceClaim "large" requesting 5 of "bw"
    And a ResourceClaim "small" requesting 4 of "bw"
    And a pod "p" that uses ResourceClaim "large"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When a pod "q" that uses ResourceClaim "small" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    When ResourceClaim "unused" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running

  @case:share-id-stays
  @KEP-5075/status/share-id-stable
  Scenario: A ResourceClaim keeps its shareID across other allocations and a scheduler restart
    Given a ResourceClaim "first" requesting 3 of "bw"
    And a ResourceClaim "second" requesting 4 of "bw"
    And a pod "p" that uses ResourceClaim "first"
    When the cluster reaches a steady state
    Then ResourceClaim "first" is allocated exactly
      | device | shareID |
      | eth1   | yes     |
    When a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then ResourceClaim "first" keeps its allocation
    When pod "q" is deleted
    And the scheduler restarts
    And the cluster reaches a steady state
    Then ResourceClaim "first" keeps its allocation

  @case:new-share-id-after-release
  @KEP-5075/status/share-id-stable
  Scenario: A released ResourceClaim gets a new shareID when it is allocated again
    Given a ResourceClaim "c" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" has new share IDs
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    When a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" has new share IDs
    And ResourceClaim "c" consumes 3 of "bw"

  @case:slice-unchanged
  @KEP-5075/capacity-accounting/slice-value-unchanged
  Scenario: A ResourceSlice is not changed by an allocation
    Given a ResourceClaim "c" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" consumes 3 of "bw"
    And the spec of ResourceSlice "pool-1-slice" is unchanged
    And ResourceSlice "pool-1-slice" has
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 10    |

  @case:device-status-gate-off
  @KEP-5075/feature-gate/works-without-device-status @profile:kep @profile:until-1.36
  Scenario: With DRAResourceClaimDeviceStatus off, ResourceClaims can still share a device
    Given the feature gate "DRAResourceClaimDeviceStatus" is off
    And a ResourceClaim "first" requesting 3 of "bw"
    And a ResourceClaim "second" requesting 4 of "bw"
    And a pod "p" that uses ResourceClaims "first, second"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first" consumes 3 of "bw"
    And ResourceClaim "second" consumes 4 of "bw"
