@profile:kep
Feature: DRADeviceCompatibilityGroups is an alpha feature gate

  @case:gate-off-by-default
  @KEP-5963/feature-gate/alpha-off-by-default
  Scenario: The feature gate DRADeviceCompatibilityGroups is off by default in Kubernetes 1.37
    Given the API server and the scheduler run Kubernetes 1.37
    And the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And pool "pool-1" says it has 2 slices
    And a claim "c" requesting 1 device
    When the driver publishes the device
      | device | counters gpu-0 | groups gpu-0 |
      | mig    | memory 20Gi    | mig          |
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the API server
    And the driver publishes the device
      | device | counters gpu-0 | groups gpu-0 |
      | mig    | memory 20Gi    | mig          |
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is kept
    When a pod "p" that uses claim "c" is created
    And the cluster settles
    Then pod "p" is pending
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And the cluster settles
    Then pod "p" runs
