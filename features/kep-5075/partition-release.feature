Feature: Counters of a multi-allocatable partition after its release

  @case:counters-released-with-last-share
  @KEP-5075/lifecycle/release-frees-counters-with-last-share
  Scenario: Counters of a multi-allocatable partition are released with its last shared allocation
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 8Gi            |
    And the devices
      | device | allowMultipleAllocations | capacity slots | requestPolicy slots | consumesCounters gpu-0 | attribute kind |
      | part   | yes                      | 2              | default 1           | memory 6Gi             | string part    |
      | whole  |                          |                |                     | memory 8Gi             | string whole   |
    And a ResourceClaim "first" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "part"  |
    And a ResourceClaim "second" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "part"  |
    And a ResourceClaim "all" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "whole" |
    And a pod "p" that uses ResourceClaim "first"
    And a pod "q" that uses ResourceClaim "second"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    When a pod "r" that uses ResourceClaim "all" is created
    And pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Pending
    But in Kubernetes 1.34, because this release ignores counters in another ResourceSlice than the device: pod "r" is Running
    But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: pod "r" is Running
    When pod "q" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Running
    And ResourceClaim "all" is allocated exactly
      | device |
      | whole  |
