Feature: Which compatibility groups the API server stores
  With the gate DRADeviceCompatibilityGroups on, the API server stores groups in slices and in the status of
  claims. With the gate off, it takes them out of what is written and stores the rest.

  Rule: With the gate on, groups are stored

    Background:
      Given the device
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |

    @case:an-update-of-a-slice-replaces-mig-by
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario Outline: An update of a slice replaces [mig] by <groups>
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | <groups> |
      Then it is stored as it was written

      Examples:
        | groups       |
        | [mig, extra] |
        | [vgpu]       |

    @case:an-update-that-leaves-out-the-groups-of-a-device
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: An update that leaves out the groups of a device removes them
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | null  |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:an-update-adds-groups-to-a-device-that-had-none
    @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: An update adds groups to a device that had none
      Given the device
        | device  | slice | counters gpu-0 |
        | plain-0 | plain | units 20       |
      When the ResourceSlice "plain" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig] |
      Then it is stored as it was written

  Rule: With the gate off, new groups are dropped and the rest is stored

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off

    @case:with-dradevicecompatibilitygroups-off-a-new-slice-is
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: With DRADeviceCompatibilityGroups off, a new slice is stored without its groups
      Given the device
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].counterSet           | gpu-0 |
        | spec.devices[0].consumesCounters[0].counters.units.value | 20    |
      And the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:with-dradevicecompatibilitygroups-off-every-device
    @KEP-5963/create-strategy/slice-dropped-when-off
    Scenario: With DRADeviceCompatibilityGroups off, every device of a new slice loses its groups
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | mig-0   | units 20       | mig          |                |              |
        | plain-0 | units 20       |              |                |              |
        | both-0  | units 20       |              | units 20       | a, b         |
      When the ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
      And the field "spec.devices[2].consumesCounters[1].compatibilityGroups" is dropped
      And it is stored with
        | field                                          | value |
        | spec.devices[1].consumesCounters[0].counterSet | gpu-0 |
        | spec.devices[2].consumesCounters[1].counterSet | gpu-1 |

    @case:with-dradevicecompatibilitygroups-off-an-update
    @KEP-5963/create-strategy/slice-dropped-when-off @KEP-5963/create-strategy/update-of-object-already-using-the-field
    Scenario: With DRADeviceCompatibilityGroups off, an update cannot give groups to a slice that has none
      Given the device
        | device | counters gpu-0 |
        | mig-0  | units 20       |
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups  | [mig] |
        | spec.devices[0].consumesCounters[0].counters.units.value | 30    |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped
      And it is stored with
        | field                                                    | value |
        | spec.devices[0].consumesCounters[0].counters.units.value | 30    |

    @case:with-dradevicecompatibilitygroups-off-an-allocation
    @KEP-5963/create-strategy/claim-status-dropped-when-off @profile:kep @profile:since-1.34
    Scenario: With DRADeviceCompatibilityGroups off, an allocation is stored without the groups that the scheduler records
      Given a claim "c" requesting 1 device
      When its status is updated to that of this object
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
        """
      Then it is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | mig-0 |
      And the field "status.allocation.devices.results[0].compatibilityGroups" is dropped

  Rule: With the gate off, what is stored already stays until it is taken out

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the device
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |

    @case:with-dradevicecompatibilitygroups-off-an-update-of
    @KEP-5963/create-strategy/update-of-object-already-using-the-field
    Scenario: With DRADeviceCompatibilityGroups off, an update of an attribute keeps the stored groups
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                   | value  |
        | spec.devices[0].attributes.model.string | newest |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is kept
      And it is stored with
        | field                                   | value  |
        | spec.devices[0].attributes.model.string | newest |

    @case:with-dradevicecompatibilitygroups-off-an-update-2
    @KEP-5963/create-strategy/update-of-object-already-using-the-field
    Scenario: With DRADeviceCompatibilityGroups off, an update without the stored groups removes them
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | null  |
      Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is dropped

    @case:with-dradevicecompatibilitygroups-off-reserving-a
    @KEP-5963/create-strategy/update-of-object-already-using-the-field @profile:kep @profile:since-1.34
    Scenario: With DRADeviceCompatibilityGroups off, reserving a claim for a pod keeps the recorded groups
      Given a claim "c" requesting 1 device
      And claim "c" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      When the status of the ResourceClaim "c" is updated with
        | field              | value                                       |
        | status.reservedFor | [{resource: pods, name: pod-a, uid: uid-a}] |
      Then the field "status.allocation.devices.results[0].compatibilityGroups" is kept
      But since Kubernetes 1.34, because releases know no record of groups in claims: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped

  Rule: With the gate off, what is stored is read as it is

    @case:groups-that-a-slice-has-from-the-time-before-are
    @KEP-5963/create-strategy/reads-are-not-filtered @profile:kep @profile:since-1.37
    Scenario: Groups that a slice has from the time before are read after DRADeviceCompatibilityGroups is turned off
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
      And the ResourceSlice "before" is read
      Then it reads
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
      And the ResourceSlice "after" is read
      Then it reads
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups |       |

    @case:groups-that-an-allocation-has-recorded-are-read
    @KEP-5963/create-strategy/reads-are-not-filtered @profile:kep @profile:since-1.37
    Scenario: Groups that an allocation has recorded are read after DRADeviceCompatibilityGroups is turned off
      Given the device
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
      And a claim "c" requesting 1 device
      And claim "c" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      When the feature gate "DRADeviceCompatibilityGroups" is turned off in the API server
      And the ResourceClaim "c" is read
      Then it reads
        | field                                                   | value          |
        | status.allocation.devices.results[0].compatibilityGroups | {gpu-0: [mig]} |
      But since Kubernetes 1.37, because releases know no record of groups in claims: it reads
        | field                                                    | value |
        | status.allocation.devices.results[0].compatibilityGroups |       |

  Rule: Without partitionable devices there is nothing that could have groups

    Background:
      Given the device
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |

    @case:with-drapartitionabledevices-off-a-new-slice-loses
    @KEP-5963/feature-gate/needs-partitionable-devices
    Scenario: With DRAPartitionableDevices off, a new slice loses its counters and the groups with them
      Given the feature gate "DRAPartitionableDevices" is off
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                | value |
        | spec.devices[0].name | mig-0 |
      And the field "spec.devices[0].consumesCounters" is dropped

    @case:with-both-gates-on-a-new-slice-keeps-its-counters
    @KEP-5963/feature-gate/needs-partitionable-devices
    Scenario: With both gates on, a new slice keeps its counters and the groups with them
      Given the feature gate "DRAPartitionableDevices" is on
      And the feature gate "DRADeviceCompatibilityGroups" is on
      When the ResourceSlice "pool-1-slice" is created
      Then the field "spec.devices[0].consumesCounters" is kept
