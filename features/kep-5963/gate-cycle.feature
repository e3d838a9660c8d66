@profile:kep @profile:since-1.37
Feature: Feature gate and version changes of a running cluster

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

  @case:allocation-survives-gate-cycle
  @KEP-5963/rollback/running-workloads-undisturbed @KEP-5963/rollback/to-1-37-gate-off
  @KEP-5963/rollback/reenable-makes-declarations-effective
  Scenario: An allocation survives turning the gate off and on, and groups are then enforced again
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

  @case:downgrade-conflict-not-revoked
  @KEP-5963/rollback/to-a-version-without-the-field @KEP-5963/rollback/allocations-survive-downgrade
  @KEP-5963/rollback/reenable-does-not-revisit
  Scenario: An incompatible allocation made by Kubernetes 1.36 is not revoked after the upgrade
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

  @case:gate-on-uses-grouped-devices
  @KEP-5963/feature-gate/enable-without-deleting-pods
  Scenario: A Pending pod gets its grouped device after the gate is turned on, without pod deletion
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

  @case:gate-off-set-closed-by-claim
  @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
  Scenario: A counter set stays closed with the gate off until the recording ResourceClaim is deleted
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
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: pod "q" runs
    When pod "p" is deleted
    And claim "mig" is deleted
    And the cluster settles
    Then the ResourceClaim "mig" does not exist
    And pod "q" runs
