Feature: Storage of compatibility groups by the API server
  With DRADeviceCompatibilityGroups on, the API server stores groups in ResourceSlices and in the status of
  ResourceClaims. With the gate off, the API server drops new groups and stores the rest of the object. It may keep
  stored groups.

  Rule: Groups are stored with DRADeviceCompatibilityGroups on

    Background:
      Given the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |

    @case:update-replaces-groups
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario Outline: A ResourceSlice update replaces the compatibility groups of a device
      When ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | <groups> |
      Then the object is stored as written

      Examples:
        | groups       |
        | [mig, extra] |
        | [vgpu]       |

    @case:update-removes-groups
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: A ResourceSlice update without compatibilityGroups removes the groups of a device
      When ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | null  |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:update-adds-groups
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: A ResourceSlice update adds compatibility groups to a device without groups
      Given the device
        | device  | slice | consumesCounters gpu-0 |
        | plain-0 | plain | units 20               |
      When ResourceSlice "plain" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig] |
      Then the object is stored as written

  Rule: New groups are dropped with DRADeviceCompatibilityGroups off

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off

    @case:gate-off-new-slice
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: A new ResourceSlice is stored without groups with DRADeviceCompatibilityGroups off
      Given the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].counterSet           | gpu-0 |
        | spec.devices[0].consumesCounters[0].counters.units.value | 20    |
      And the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:gate-off-every-device
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: Groups of every device in a new slice are dropped with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0   | units 20               | mig                       |                        |                           |
        | plain-0 | units 20               |                           |                        |                           |
        | both-0  | units 20               |                           | units 20               | a, b                      |
      When ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
      And the field "spec.devices[2].consumesCounters[1].compatibilityGroups" is dropped
      And the object is stored with
        | field                                          | value |
        | spec.devices[1].consumesCounters[0].counterSet | gpu-0 |
        | spec.devices[2].consumesCounters[1].counterSet | gpu-1 |

    @case:gate-off-update-adds-nothing
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: A ResourceSlice update cannot add groups with DRADeviceCompatibilityGroups off
      Given the device
        | device | consumesCounters gpu-0 |
        | mig-0  | units 20               |
      When ResourceSlice "pool-1-slice" is updated with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups  | [mig] |
        | spec.devices[0].consumesCounters[0].counters.units.value | 30    |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
      And the object is stored with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].counters.units.value | 30    |

    @case:gate-off-claim-status
    @KEP-5963/create-strategy/claim-status-dropped-when-off @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim status is stored without groups with DRADeviceCompatibilityGroups off
      Given a ResourceClaim "c" requesting 2 devices
      When the status of this object is updated
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        status:
          allocation:
            devices:
              results:
                - request: r0
                  driver: dra.example.com
                  pool: pool-1
                  device: mig-0
                  compatibilityGroups: {gpu-0: [mig]}
                - request: r0
                  driver: dra.example.com
                  pool: pool-1
                  device: mig-1
                  compatibilityGroups: {gpu-0: [mig]}
        """
      Then the object is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | mig-0 |
        | status.allocation.devices.results[1].device | mig-1 |
      And the field "status.allocation.devices.results[0].compatibilityGroups" is dropped
      And the field "status.allocation.devices.results[1].compatibilityGroups" is dropped

  Rule: Updates may keep stored groups with DRADeviceCompatibilityGroups off

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |

    @case:gate-off-other-field-keeps
    @KEP-5963/create-strategy/update-of-object-already-using-the-field
    Scenario: A ResourceSlice update of an attribute keeps groups with DRADeviceCompatibilityGroups off
      When ResourceSlice "pool-1-slice" is updated with
        | field                                   | value  |
        | spec.devices[0].attributes.model.string | newest |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is kept
      And the object is stored with
        | field                                   | value  |
        | spec.devices[0].attributes.model.string | newest |

    @case:gate-off-update-removes
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: A ResourceSlice update can remove stored groups with DRADeviceCompatibilityGroups off
      When ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | null  |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:gate-off-reservation-keeps
    @KEP-5963/create-strategy/update-of-object-already-using-the-field @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim reservation keeps recorded groups with DRADeviceCompatibilityGroups off
      Given a ResourceClaim "c" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      When the status of ResourceClaim "c" is updated with
        | field              | value                                       |
        | status.reservedFor | [{resource: pods, name: pod-a, uid: uid-a}] |
      Then the field "status.allocation.devices.results[0].compatibilityGroups" is kept
      But since Kubernetes 1.34, because releases have no compatibilityGroups field in the allocation result: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped

  Rule: Stored groups may still be read with DRADeviceCompatibilityGroups off

    @case:gate-off-slice-read
    @KEP-5963/create-strategy/reads-are-not-filtered @profile:kep @profile:since-1.37
    Scenario: A ResourceSlice read with DRADeviceCompatibilityGroups off shows the stored groups
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: before}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
          allNodes: true
          devices:
            - name: mig-0
              consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [mig]}]
        """
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is kept
      When the feature gate "DRADeviceCompatibilityGroups" is turned off in the API server
      And ResourceSlice "before" is read
      Then the object read has
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig] |
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: after}
        spec:
          driver: dra.example.com
          pool: {name: pool-2, generation: 1, resourceSliceCount: 1}
          allNodes: true
          devices:
            - name: mig-0
              consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [mig]}]
        """
      And ResourceSlice "after" is read
      Then the object read has
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups |       |

    @case:gate-off-claim-read
    @KEP-5963/create-strategy/reads-are-not-filtered @profile:kep @profile:since-1.37
    Scenario: A ResourceClaim read with DRADeviceCompatibilityGroups off shows the stored groups
      Given the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
      And a ResourceClaim "c" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      When the feature gate "DRADeviceCompatibilityGroups" is turned off in the API server
      And ResourceClaim "c" is read
      Then the object read has
        | field                                                   | value          |
        | status.allocation.devices.results[0].compatibilityGroups | {gpu-0: [mig]} |
      But since Kubernetes 1.37, because releases have no compatibilityGroups field in the allocation result: the object read has
        | field                                                    | value |
        | status.allocation.devices.results[0].compatibilityGroups |       |

  Rule: Compatibility groups depend on DRAPartitionableDevices

    Background:
      Given the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |

    @case:partitionable-off-drops-counters
    @KEP-5963/feature-gate/needs-partitionable-devices
    Scenario: With DRAPartitionableDevices off, consumesCounters and its groups are dropped at creation
      Given the feature gate "DRAPartitionableDevices" is off
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                | value |
        | spec.devices[0].name | mig-0 |
      And the field "spec.devices[0].consumesCounters" is dropped

    @case:both-gates-on-keeps-counters
    @KEP-5963/feature-gate/needs-partitionable-devices
    Scenario: With DRAPartitionableDevices and DRADeviceCompatibilityGroups on, groups are kept
      Given the feature gate "DRAPartitionableDevices" is on
      And the feature gate "DRADeviceCompatibilityGroups" is on
      When ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].consumesCounters" is kept
