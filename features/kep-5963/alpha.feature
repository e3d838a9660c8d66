@profile:kep
Feature: DRADeviceCompatibilityGroups is an alpha feature gate

  @case:gate-off-by-default
  @KEP-5963/feature-gate/alpha-off-by-default
  Scenario: The feature gate DRADeviceCompatibilityGroups is off by default in Kubernetes 1.37
    Given the API server and the scheduler run Kubernetes 1.37
    And the counter set
      | counterSet | counter memory |
      | gpu-0      | 80Gi           |
    And pool "pool-1" has the resourceSliceCount 2
    And a ResourceClaim "c" requesting 1 device
    When the driver publishes the device
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
      | mig    | memory 20Gi            | mig                       |
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the API server
    And the driver publishes the device
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
      | mig    | memory 20Gi            | mig                       |
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is kept
    When a pod "p" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And the cluster reaches a steady state
    Then pod "p" is Running
