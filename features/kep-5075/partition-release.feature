Feature: Counters of a multi-allocatable partition after its release

  @case:counters-released-with-last-share
  @KEP-5075/lifecycle/release-frees-counters-with-last-share
  Scenario: Counters of a multi-allocatable partition are released with its last shared allocation
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 8Gi            |
    And the devices
      | device | shared | capacity slots | policy slots | counters gpu-0 | attribute kind |
      | part   | yes    | 2              | default 1    | memory 6Gi     | string part    |
      | whole  |        |                |              | memory 8Gi     | string whole   |
    And a claim "first" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "part"  |
    And a claim "second" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "part"  |
    And a claim "all" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "whole" |
    And a pod "p" that uses claim "first"
    And a pod "q" that uses claim "second"
    When the cluster settles
    Then pod "p" runs
    And pod "q" runs
    When a pod "r" that uses claim "all" is created
    And pod "p" is deleted
    And the cluster settles
    Then pod "r" is pending
    But in Kubernetes 1.34, because this release ignores counters in another ResourceSlice than the device: pod "r" runs
    But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: pod "r" runs
    When pod "q" is deleted
    And the cluster settles
    Then pod "r" runs
    And claim "all" gets exactly
      | device |
      | whole  |
