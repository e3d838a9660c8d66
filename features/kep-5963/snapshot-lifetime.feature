@profile:kep @profile:since-1.37
Feature: The groups recorded with an allocation last as long as the allocation

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

  @case:a-change-of-the-groups-of-a-device-in-use-does-not
  @KEP-5963/snapshot/written-with-the-allocation @KEP-5963/snapshot/authoritative-over-changed-slice
  Scenario: A change of the groups of a device in use does not reach its allocation
    When the cluster settles
    Then claim "c" gets exactly
      | device | groups gpu-0 |
      | gpu    | mig          |
    But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
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
    But since Kubernetes 1.37, because this release goes by what the slice says now of a device in use: pod "q" runs

  @case:a-device-that-is-allocated-again-records-the-groups
  @KEP-5963/snapshot/rewritten-device-is-snapshotted-anew
  Scenario: A device that is allocated again records the groups it has then
    When the cluster settles
    Then claim "c" gets exactly
      | device | groups gpu-0 |
      | gpu    | mig          |
    But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
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
    But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
      | device |
      | gpu    |

  @case:what-a-driver-reports-of-a-device-leaves-the
  @KEP-5963/snapshot/not-written-by-drivers
  Scenario: What a driver reports of a device leaves the recorded groups alone
    When the cluster settles
    And the status of the ResourceClaim "c" is updated with
      | field          | value                                                                          |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu, data: {prepared: true}}] |
    Then it is stored with
      | field                                                           | value |
      | status.devices[0].device                                        | gpu   |
      | status.allocation.devices.results[0].compatibilityGroups[gpu-0] | [mig] |
    But since Kubernetes 1.37, because this release keeps no record of groups in claims: it is stored with
      | field                    | value |
      | status.devices[0].device | gpu   |
    When the cluster settles
    Then claim "c" keeps its allocation

  @case:a-device-of-another-scheme-is-allocated-after-every
  @KEP-5963/rolling-intersection/recomputed-after-release @KEP-5963/lifecycle/scheme-changes-only-after-full-release
  @KEP-5963/lifecycle/no-reconfiguration-by-scheduler @KEP-5963/lifecycle/pending-pod-retried-after-release
  Scenario: A device of another scheme is allocated after every device of the first is released
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

  @case:a-pod-that-changed-groups-let-through-fails-alone
  @KEP-5963/lifecycle/inconsistent-slices-hurt-one-pod
  Scenario: A pod that changed groups let through fails alone, and nothing else in the cluster changes
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
