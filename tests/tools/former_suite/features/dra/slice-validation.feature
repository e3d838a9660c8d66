@profile:kep @profile:since-1.34
Feature: Validation of ResourceSlices
  A ResourceSlice lists devices of one pool of one driver and says which nodes can access them. A ResourceSlice
  without one of these fields or with conflicting fields is rejected.

  Rule: Counters of devices

    Background:
      Given the devices
        | device   | counters gpu-1-counters |
        | device-1 | memory 6Gi              |
        | device-2 | memory 6Gi, cores 1     |

    @case:counters-of-other-slice
    @DRA/partitionable/devices-reference-counters
    Scenario: A ResourceSlice whose devices consume counters of another ResourceSlice is stored
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written
      But in Kubernetes 1.34, because in these releases a device can only refer to counter sets of its own slice: it is rejected with Invalid at "spec.devices[0].consumesCounters[0].counterSet"
