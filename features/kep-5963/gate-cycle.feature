@profile:kep @profile:since-1.37
Feature: Changes of DRADeviceCompatibilityGroups and of the version in a running cluster

  Background:
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 80Gi           |
    And the devices
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
      | mig-0  | memory 20Gi            | mig                       | string mig     |
      | mig-1  | memory 20Gi            | mig                       | string mig     |
      | vgpu-0 | memory 20Gi            | vgpu                      | string vgpu    |
    And a ResourceClaim "mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a ResourceClaim "more-mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a ResourceClaim "vgpu" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "vgpu" |
    And a pod "p" that uses ResourceClaim "mig"

  @case:allocation-survives-gate-cycle
  @KEP-5963/rollback/running-workloads-undisturbed @KEP-5963/rollback/to-1-37-gate-off
  @KEP-5963/rollback/reenable-makes-declarations-effective
  Scenario: An allocation is kept when DRADeviceCompatibilityGroups is turned off and on again
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the feature gate "DRADeviceCompatibilityGroups" is turned off in the scheduler
    And a pod "q" that uses ResourceClaim "more-mig" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "mig" keeps its allocation
    And ResourceClaim "mig" is reserved for pod "p"
    And pod "q" is Pending
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And a pod "r" that uses ResourceClaim "vgpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "mig" keeps its allocation
    And pod "q" is Running
    And pod "r" is Pending

  @case:groups-count-after-gate-cycle
  @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/rollback/reenable-makes-declarations-effective
  Scenario: The groups of an earlier allocation count once DRADeviceCompatibilityGroups is on again
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the feature gate "DRADeviceCompatibilityGroups" is turned off in the scheduler
    And the cluster reaches a steady state
    And the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And a pod "q" that uses ResourceClaim "vgpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When a pod "r" that uses ResourceClaim "more-mig" is created
    And the cluster reaches a steady state
    Then pod "r" is Running

  @case:downgrade-conflict-not-revoked
  @KEP-5963/rollback/to-a-version-without-the-field @KEP-5963/rollback/allocations-survive-downgrade
  @KEP-5963/rollback/reenable-does-not-revisit
  Scenario: An incompatible allocation made by Kubernetes 1.36 is not revoked after the upgrade
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the API server and the scheduler restart with Kubernetes 1.36
    And a pod "q" that uses ResourceClaim "vgpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "mig" is allocated at least
      | driver          | pool   |
      | dra.example.com | pool-1 |
    And pod "q" is Running
    When the API server and the scheduler restart with the release under test
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And ResourceClaim "vgpu" keeps its allocation

  @case:gate-on-uses-grouped-devices
  @KEP-5963/feature-gate/enable-without-deleting-pods
  Scenario: A Pending pod gets a device with groups once DRADeviceCompatibilityGroups is turned on
    Given the device
      | device | pool   | attribute kind |
      | plain  | pool-2 | string plain   |
    And a ResourceClaim "plain" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "plain" |
    And a pod "q" that uses ResourceClaim "plain"
    And the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "q" is Running
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And ResourceClaim "plain" keeps its allocation

  @case:gate-on-without-kubelet
  @KEP-5963/rollback/no-node-downtime
  Scenario: Groups are enforced once DRADeviceCompatibilityGroups is on in API server and scheduler
    Given the feature gate "DRADeviceCompatibilityGroups" is off
    When the feature gate "DRADeviceCompatibilityGroups" is turned on in the API server and the scheduler
    And the driver publishes the devices
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
      | mig-0  | memory 20Gi            | mig                       | string mig     |
      | vgpu-0 | memory 20Gi            | vgpu                      | string vgpu    |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "mig" is prepared on node "node-1"
    When a pod "q" that uses ResourceClaim "vgpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending

  @case:gate-off-set-closed-by-claim
  @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
  Scenario: With DRADeviceCompatibilityGroups off, recorded groups block a counter set until deletion
    When the cluster reaches a steady state
    And the feature gate "DRADeviceCompatibilityGroups" is turned off in the scheduler
    And the driver publishes the device
      | device | consumesCounters gpu-0 | attribute kind |
      | free   | memory 20Gi            | string free    |
    And a ResourceClaim "free" with the requests is created
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "free" |
    And a pod "q" that uses ResourceClaim "free" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: pod "q" is Running
    When pod "p" is deleted
    And ResourceClaim "mig" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "mig" does not exist
    And pod "q" is Running
