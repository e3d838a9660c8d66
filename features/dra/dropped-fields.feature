Feature: Fields of disabled features
  The features that the DRA page calls alpha are off by default. While a feature is off, the API server drops
  its fields from new objects and stores the rest.

  @profile:kep @profile:since-1.34
  Rule: Fields dropped from ResourceSlices

    @case:taints-dropped
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRADeviceTaints off, taints are dropped from the devices of a ResourceSlice
      Given the feature gate "DRADeviceTaints" is off
      And the device
        | device | attribute color | taints         |
        | gpu-0  | string black    | key:NoSchedule |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                   | value |
        | spec.devices[0].name                    | gpu-0 |
        | spec.devices[0].attributes.color.string | black |
      And the field "spec.devices[0].taints" is dropped

    @case:consumes-counters-dropped
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, consumesCounters is dropped from a ResourceSlice
      Given the feature gate "DRAPartitionableDevices" is off
      And the device
        | device | consumesCounters gpu |
        | part   | memory 6Gi           |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                | value |
        | spec.devices[0].name | part  |
      And the field "spec.devices[0].consumesCounters" is dropped

    @case:shared-counters-dropped
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, sharedCounters is dropped from a ResourceSlice
      Given the feature gate "DRAPartitionableDevices" is off
      And the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      When ResourceSlice "pool-1-counters" is created
      Then the field "spec.sharedCounters" is dropped

  @profile:kep @profile:since-1.34
  Rule: Fields dropped from ResourceClaims

    @case:tolerations-dropped
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRADeviceTaints off, tolerations are dropped from a ResourceClaim
      Given the feature gate "DRADeviceTaints" is off
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | tolerations    |
        | r0      | nic             | key:NoSchedule |
      When ResourceClaim "c" is created
      Then the object is stored with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | nic   |
      And the field "spec.devices.requests[0].exactly.tolerations" is dropped
      But in Kubernetes 1.34, because this release does not drop the tolerations of claims: the field "spec.devices.requests[0].exactly.tolerations" is kept

  @profile:kep @profile:from-1.34-to-1.36
  Rule: ResourceClaims whose only request is dropped

    @case:prioritized-list-rejected
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPrioritizedList off, a ResourceClaim with only a prioritized list is rejected
      Given the feature gate "DRAPrioritizedList" is off
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | big        | nic             |
        | r0      | small      | nic             |
      When ResourceClaim "c" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices.requests[0]"
