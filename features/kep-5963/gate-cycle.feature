@profile:kep @profile:since-1.37
Feature: The feature gate is turned off and on again, and releases come and go

  Background:
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And the devices
      | device | counters gpu-0 | groups gpu-0 | attribute kind |
      | mig-0  | memory 20Gi    | mig          | string mig     |
      | mig-1  | memory 20Gi    | mig          | string mig     |
      | vgpu-0 | memory 20Gi    | vgpu         | string vgpu    |
    And a claim "mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a claim "more-mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a claim "vgpu" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "vgpu" |
    And a pod "p" that uses claim "mig"

  @case:what-is-allocated-outlives-the-feature-gate-and
  @KEP-5963/rollback/running-workloads-undisturbed @KEP-5963/rollback/to-1-37-gate-off
  @KEP-5963/rollback/reenable-makes-declarations-effective
  Scenario: What is allocated outlives the feature gate, and groups count again when it is back
    When the cluster settles
    Then pod "p" runs
    When the feature gate "DRADeviceCompatibilityGroups" is turned off
    And a pod "q" that uses claim "more-mig" is created
    And the cluster settles
    Then pod "p" runs
    And claim "mig" keeps its allocation
    And claim "mig" is reserved for pod "p"
    And pod "q" is pending
    When the feature gate "DRADeviceCompatibilityGroups" is turned on
    And a pod "r" that uses claim "vgpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "mig" keeps its allocation
    And pod "q" runs
    And pod "r" is pending

  @case:a-release-without-the-field-allocates-what-conflicts
  @KEP-5963/rollback/to-a-version-without-the-field @KEP-5963/rollback/allocations-survive-downgrade
  @KEP-5963/rollback/reenable-does-not-revisit
  Scenario: A release without the field allocates what conflicts, and nothing of it is revoked later
    When the cluster settles
    Then pod "p" runs
    When the API server and the scheduler now run Kubernetes 1.36
    And a pod "q" that uses claim "vgpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "mig" has the result
      | driver          | pool   |
      | dra.example.com | pool-1 |
    And pod "q" runs
    When the API server and the scheduler now run the release under test
    And the cluster settles
    Then pod "p" runs
    And pod "q" runs
    And claim "vgpu" keeps its allocation

  @case:devices-with-groups-come-into-use-when-the-feature
  @KEP-5963/feature-gate/enable-without-deleting-pods
  Scenario: Devices with groups come into use when the feature gate is turned on, and no pod has to go
    Given the device
      | device | pool   | attribute kind |
      | plain  | pool-2 | string plain   |
    And a claim "plain" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "plain" |
    And a pod "q" that uses claim "plain"
    And the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler
    When the cluster settles
    Then pod "p" is pending
    And pod "q" runs
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And the cluster settles
    Then pod "p" runs
    And pod "q" runs
    And claim "plain" keeps its allocation

  @case:with-the-feature-gate-off-a-set-stays-locked-until
  @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
  Scenario: With the feature gate off a set stays locked until the claim that recorded groups on it is gone
    When the cluster settles
    And the feature gate "DRADeviceCompatibilityGroups" is turned off
    And the driver publishes the device
      | device | counters gpu-0 | attribute kind |
      | free   | memory 20Gi    | string free    |
    And a claim "free" with the requests is created
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "free" |
    And a pod "q" that uses claim "free" is created
    And the cluster settles
    Then pod "q" is pending
    But since Kubernetes 1.37, because this release keeps no record of groups in claims: pod "q" runs
    When pod "p" is deleted
    And claim "mig" is deleted
    And the cluster settles
    Then the ResourceClaim "mig" does not exist
    And pod "q" runs
