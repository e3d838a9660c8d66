@profile:kep @profile:since-1.37
Feature: Lifetime of the groups recorded in an allocation

  Background:
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 80Gi           |
    And the devices
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | attribute kind |
      | gpu    | memory 20Gi            | mig                       | string first   |
      | other  | memory 20Gi            | vgpu                      | string other   |
    And a ResourceClaim "c" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "first" |
    And a ResourceClaim "other" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "other" |
    And a pod "p" that uses ResourceClaim "c"

  @case:slice-change-keeps-record
  @KEP-5963/snapshot/written-with-the-allocation @KEP-5963/snapshot/authoritative-over-changed-slice
  Scenario: A change of the groups of a device in use does not change its allocation result
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device | compatibilityGroups gpu-0 |
      | gpu    | mig                       |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
      | device |
      | gpu    |
    When the driver updates the device "gpu" with
      | field                                   | value  |
      | consumesCounters[0].compatibilityGroups | [vgpu] |
    And the cluster reaches a steady state
    Then ResourceClaim "c" keeps its allocation
    When a pod "q" that uses ResourceClaim "other" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: pod "q" is Running

  @case:reallocation-records-anew
  @KEP-5963/snapshot/rewritten-device-is-snapshotted-anew
  Scenario: A device that is allocated again has its current compatibility groups recorded
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device | compatibilityGroups gpu-0 |
      | gpu    | mig                       |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
      | device |
      | gpu    |
    When pod "p" is deleted
    And the driver updates the device "gpu" with
      | field                                   | value  |
      | consumesCounters[0].compatibilityGroups | [vgpu] |
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    When a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device | compatibilityGroups gpu-0 |
      | gpu    | vgpu                      |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
      | device |
      | gpu    |

  @case:device-status-keeps-record
  @KEP-5963/snapshot/not-written-by-drivers
  Scenario: An update of status.devices leaves the recorded compatibility groups unchanged
    When the cluster reaches a steady state
    And the status of ResourceClaim "c" is updated with
      | field          | value                                                                          |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu, data: {prepared: true}}] |
    Then the object is stored with
      | field                                                           | value |
      | status.devices[0].device                                        | gpu   |
      | status.allocation.devices.results[0].compatibilityGroups[gpu-0] | [mig] |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: the object is stored with
      | field                    | value |
      | status.devices[0].device | gpu   |
    When the cluster reaches a steady state
    Then ResourceClaim "c" keeps its allocation

  @case:other-group-after-release
  @KEP-5963/rolling-intersection/recomputed-after-release @KEP-5963/lifecycle/scheme-changes-only-after-full-release
  @KEP-5963/lifecycle/no-reconfiguration-by-scheduler
  Scenario: A new pod is allocated a device of another group once the device in use is released
    When the cluster reaches a steady state
    And a pod "q" that uses ResourceClaim "other" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And pod "p" is Running
    And ResourceClaim "c" keeps its allocation
    When pod "p" is deleted
    And pod "q" is deleted
    And the cluster reaches a steady state
    And a pod "r" that uses ResourceClaim "other" is created
    And the cluster reaches a steady state
    Then pod "r" is Running
    And ResourceClaim "other" is allocated exactly
      | device |
      | other  |

  @case:pending-until-release
  @KEP-5963/lifecycle/pending-pod-retried-after-release
  Scenario: A pod stays Pending until the incompatible device in use is released
    When the cluster reaches a steady state
    And a pod "q" that uses ResourceClaim "other" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "c" keeps its allocation
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "other" is allocated exactly
      | device |
      | other  |

  @case:incompatible-pod-fails-alone
  @KEP-5963/lifecycle/inconsistent-slices-hurt-one-pod
  Scenario: A pod that fails because of an incompatible device leaves other pods and objects unchanged
    Given a ResourceClaim "third" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].kind == "other" |
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the driver updates the device "other" with
      | field                                   | value |
      | consumesCounters[0].compatibilityGroups | [mig] |
    And a pod "q" that uses ResourceClaim "other" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    When pod "q" fails
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" keeps its allocation
    And ResourceClaim "c" is reserved for pod "p"
    And the spec of ResourceSlice "pool-1-slice" is unchanged
    And ResourceClaim "other" is not allocated
    When a pod "r" that uses ResourceClaim "third" is created
    And the cluster reaches a steady state
    Then pod "r" is Running
