Feature: Fields of features that are off
  The features that the page calls alpha are off unless they are enabled. The API server then takes their fields out
  of what is written, and stores the rest.

  @profile:kep @profile:since-1.34
  Rule: A slice is stored without the fields of features that are off

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRADeviceTaints off, a slice is stored without the taints of its devices
      Given the feature gate "DRADeviceTaints" is off
      And the device
        | device | attribute color | taints         |
        | gpu-0  | string black    | key:NoSchedule |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                   | value |
        | spec.devices[0].name                    | gpu-0 |
        | spec.devices[0].attributes.color.string | black |
      And the field "spec.devices[0].taints" is dropped

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, a slice is stored without the counters that its devices consume
      Given the feature gate "DRAPartitionableDevices" is off
      And the device
        | device | counters gpu |
        | part   | memory 6Gi   |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                | value |
        | spec.devices[0].name | part  |
      And the field "spec.devices[0].consumesCounters" is dropped

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, a slice is stored without its counter sets
      Given the feature gate "DRAPartitionableDevices" is off
      And the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      When the ResourceSlice "pool-1-counters" is created
      Then the field "spec.sharedCounters" is dropped

  @profile:kep @profile:since-1.34
  Rule: A claim is stored without the fields of features that are off

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRADeviceTaints off, a claim is stored without its tolerations
      Given the feature gate "DRADeviceTaints" is off
      And a claim "c" with the requests
        | request | class | tolerations    |
        | r0      | nic   | key:NoSchedule |
      When the ResourceClaim "c" is created
      Then it is stored with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | nic   |
      And the field "spec.devices.requests[0].exactly.tolerations" is dropped
      But in Kubernetes 1.34, because this release does not drop the tolerations of claims: the field "spec.devices.requests[0].exactly.tolerations" is kept

  @profile:kep @profile:from-1.34-to-1.36
  Rule: A claim that loses what it asks for is rejected

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPrioritizedList off, a claim with a prioritized list is rejected, for nothing else is asked
      Given the feature gate "DRAPrioritizedList" is off
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | big         | nic   |
        | r0      | small       | nic   |
      When the ResourceClaim "c" is created
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec.devices.requests[0]"
