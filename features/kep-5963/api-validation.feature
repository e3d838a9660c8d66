Feature: API fields for compatibility groups
  A driver declares compatibilityGroups in the consumesCounters entries of a device. The scheduler records the
  groups in the allocation result. No other object or field has compatibility groups.

  Rule: A device declares compatibility groups for each counter set

    Background:
      Given the device
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters nvlink-0 |
        | mig-0  | units 20               | mig                       | links 1                   |

    @case:slice-groups-stored
    @KEP-5963/api-validation/slice-field-on-counter-consumption @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: A ResourceSlice with compatibilityGroups in consumesCounters is stored unchanged
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:groups-per-counter-set-stored
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A ResourceSlice with different groups on each counter set of a device is stored
      When ResourceSlice "pool-1-slice" is created with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[1].compatibilityGroups | [bridge] |
      Then the object is stored with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig]    |
        | spec.devices[0].consumesCounters[1].compatibilityGroups | [bridge] |

  @profile:kep @profile:since-1.34
  Rule: compatibilityGroups in any other place is dropped

    @case:field-on-device-dropped
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A ResourceSlice with compatibilityGroups directly on a device is stored without the field
      Given the device
        | device |
        | mig-0  |
      When ResourceSlice "pool-1-slice" is created with
        | field                               | value |
        | spec.devices[0].compatibilityGroups | [mig] |
      Then the field "spec.devices[0].compatibilityGroups" is dropped

    @case:field-on-counter-set-dropped
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A ResourceSlice with compatibilityGroups in sharedCounters is stored without the field
      Given the counter set
        | counterSet | counter units |
        | gpu-0      | 100           |
      When ResourceSlice "pool-1-counters" is created with
        | field                                      | value |
        | spec.sharedCounters[0].compatibilityGroups | [mig] |
      Then the field "spec.sharedCounters[0].compatibilityGroups" is dropped

    @case:field-in-claim-spec-dropped
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario Outline: A ResourceClaim with compatibilityGroups in <where> is stored without the field
      Given a ResourceClaim "c" requesting 1 device
      When ResourceClaim "c" is created with
        | field   | value   |
        | <field> | <value> |
      Then the field "<field>" is dropped

      Examples:
        | where             | field                                                | value          |
        | the exactly field | spec.devices.requests[0].exactly.compatibilityGroups | [mig]          |
        | a request         | spec.devices.requests[0].compatibilityGroups         | [mig]          |
        | spec.devices      | spec.devices.compatibilityGroups                     | {gpu-0: [mig]} |

    @case:field-in-constraint-dropped
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario: A ResourceClaim with compatibilityGroups in a constraint is stored without the field
      Given a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/gpu"
      When ResourceClaim "c" is created with
        | field                                           | value |
        | spec.devices.constraints[0].compatibilityGroups | [mig] |
      Then the field "spec.devices.constraints[0].compatibilityGroups" is dropped

    @case:field-in-template-dropped
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario: A ResourceClaimTemplate with compatibilityGroups in a request is stored without the field
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: partition, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: gpu
                  exactly: {deviceClassName: gpu.example.com, compatibilityGroups: [mig]}
        """
      Then the object is stored with
        | field                                                 | value           |
        | spec.spec.devices.requests[0].exactly.deviceClassName | gpu.example.com |
      And the field "spec.spec.devices.requests[0].exactly.compatibilityGroups" is dropped

  Rule: Group names have a meaning only for the driver that publishes them

    @case:group-of-one-device-stored
    @KEP-5963/api-validation/opaque-and-unregistered
    Scenario: A ResourceSlice with a compatibility group that no other device has is stored
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
        | odd    | units 20               | only-here                 |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:group-name-of-other-driver-stored
    @KEP-5963/api-validation/opaque-and-unregistered
    Scenario: A ResourceSlice with a compatibility group name that another driver also uses is stored
      Given the devices
        | device | driver             | pool   | slice | consumesCounters set-0 | compatibilityGroups set-0 |
        | mig-0  | gpu.example.com    | pool-1 | gpus  | units 20               | mig                       |
        | jet-0  | planes.example.com | pool-1 | jets  | units 20               | mig                       |
      When ResourceSlice "jets" is created
      Then the object is stored as written

  @profile:kep @profile:since-1.34
  Rule: The allocation result records groups by counter set

    Background:
      Given a ResourceClaim "c" requesting 1 device

    @case:status-groups-stored
    @KEP-5963/api-validation/status-field @KEP-5963/create-strategy/claim-status-persisted-when-on
    Scenario: A ResourceClaim status with compatibilityGroups by counter set is stored unchanged
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
                  compatibilityGroups: {gpu-0: [mig], nvlink-0: [a, bridge]}
        """
      Then the object is stored as written
      But since Kubernetes 1.34, because releases have no compatibilityGroups field in the allocation result: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped

    @case:status-groups-without-set-rejected
    @KEP-5963/api-validation/status-field
    Scenario: A ResourceClaim status whose compatibilityGroups is a list, not a map, is rejected
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
                  compatibilityGroups: [mig]
        """
      Then the object is rejected
      But since Kubernetes 1.34, because releases have no compatibilityGroups field in the allocation result: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped
