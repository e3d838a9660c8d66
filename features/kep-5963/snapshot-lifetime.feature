@profile:kep @profile:since-1.37
Feature: Lifetime of the groups recorded in an allocation

  Background:
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And the devices
      | device | counters gpu-0 | groups gpu-0 | attribute kind |
      | gpu    | memory 20Gi    | mig          | string first   |
      | other  | memory 20Gi    | vgpu         | string other   |
    And a claim "c" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "first" |
    And a claim "other" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "other" |
    And a pod "p" that uses claim "c"

  @case:slice-change-keeps-record
  @KEP-5963/snapshot/written-with-the-allocation @KEP-5963/snapshot/authoritative-over-changed-slice
  Scenario: A change of the groups of a device in use does not change its allocation result
    When the cluster settles
    Then claim "c" gets exactly
      | device | groups gpu-0 |
      | gpu    | mig          |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: claim "c" gets exactly
      | device |
      | gpu    |
    When the driver changes the device "gpu"
      | field                                   | value  |
      | consumesCounters[0].compatibilityGroups | [vgpu] |
    And the cluster settles
    Then claim "c" keeps its allocation
    When a pod "q" that uses claim "other" is created
    And the cluster settles
    Then pod "q" is pending
    But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: pod "q" runs

  @case:reallocation-records-anew
  @KEP-5963/snapshot/rewritten-device-is-snapshotted-anew
  Scenario: A device that is allocated again has its current groups recorded
    When the cluster settles
    Then claim "c" gets exactly
      | device | groups gpu-0 |
      | gpu    | mig          |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: claim "c" gets exactly
      | device |
      | gpu    |
    When pod "p" is deleted
    And the driver changes the device "gpu"
      | field                                   | value  |
      | consumesCounters[0].compatibilityGroups | [vgpu] |
    And the cluster settles
    Then claim "c" is not allocated
    When a pod "q" that uses claim "c" is created
    And the cluster settles
    Then claim "c" gets exactly
      | device | groups gpu-0 |
      | gpu    | vgpu         |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: claim "c" gets exactly
      | device |
      | gpu    |

  @case:device-status-keeps-record
  @KEP-5963/snapshot/not-written-by-drivers
  Scenario: An update of status.devices leaves the recorded groups unchanged
    When the cluster settles
    And the status of the ResourceClaim "c" is updated with
      | field          | value                                                                          |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu, data: {prepared: true}}] |
    Then it is stored with
      | field                                                           | value |
      | status.devices[0].device                                        | gpu   |
      | status.allocation.devices.results[0].compatibilityGroups[gpu-0] | [mig] |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: it is stored with
      | field                    | value |
      | status.devices[0].device | gpu   |
    When the cluster settles
    Then claim "c" keeps its allocation

  @case:other-group-after-release
  @KEP-5963/rolling-intersection/recomputed-after-release @KEP-5963/lifecycle/scheme-changes-only-after-full-release
  @KEP-5963/lifecycle/no-reconfiguration-by-scheduler @KEP-5963/lifecycle/pending-pod-retried-after-release
  Scenario: A pod stays Pending until the incompatible device in use is released
    When the cluster settles
    And a pod "q" that uses claim "other" is created
    And the cluster settles
    Then pod "q" is pending
    And claim "c" keeps its allocation
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "other" gets exactly
      | device |
      | other  |

  @case:incompatible-pod-fails-alone
  @KEP-5963/lifecycle/inconsistent-slices-hurt-one-pod
  Scenario: A pod that fails because of an incompatible device leaves other pods and objects unchanged
    Given a claim "third" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "other" |
    When the cluster settles
    Then pod "p" runs
    When the driver changes the device "other"
      | field                                   | value |
      | consumesCounters[0].compatibilityGroups | [mig] |
    And a pod "q" that uses claim "other" is created
    And the cluster settles
    Then pod "q" runs
    When pod "q" fails
    And the cluster settles
    Then pod "p" runs
    And claim "c" keeps its allocation
    And claim "c" is reserved for pod "p"
    And the ResourceSlice "pool-1-slice" is as it was
    And claim "other" is not allocated
    When a pod "r" that uses claim "third" is created
    And the cluster settles
    Then pod "r" runs
