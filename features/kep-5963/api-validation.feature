Feature: The fields for compatibility groups
  A driver declares groups on the counters that a device consumes. The scheduler records them in the result of
  an allocation. There is no other place for them.

  Rule: A device declares groups for each counter set that it consumes from

    Background:
      Given the device
        | device | counters gpu-0 | groups gpu-0 | counters nvlink-0 |
        | mig-0  | units 20       | mig          | links 1           |

    @case:a-slice-is-stored-with-the-groups-of-a-device-as
    @KEP-5963/api-validation/slice-field-on-counter-consumption @KEP-5963/create-strategy/slice-persisted-when-on
    Scenario: A slice is stored with the groups of a device as they were written
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @case:a-slice-is-stored-with-different-groups-for-each
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A slice is stored with different groups for each counter set of a device
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[1].compatibilityGroups | [bridge] |
      Then it is stored with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig]    |
        | spec.devices[0].consumesCounters[1].compatibilityGroups | [bridge] |

    @case:a-slice-whose-groups-are-a-text-instead-of-a-list-is
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A slice whose groups are a text instead of a list is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                   | value |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | mig   |
      Then it is rejected

    @case:a-slice-with-a-number-among-the-groups-is-rejected
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: A slice with a number among the groups is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                   | value    |
        | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig, 1] |
      Then it is rejected

  @profile:kep @profile:since-1.34
  Rule: Groups cannot be declared anywhere else

    @case:groups-written-on-a-device-itself-are-not-stored
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: Groups written on a device itself are not stored
      Given the device
        | device |
        | mig-0  |
      When the ResourceSlice "pool-1-slice" is created with
        | field                               | value |
        | spec.devices[0].compatibilityGroups | [mig] |
      Then the field "spec.devices[0].compatibilityGroups" is dropped

    @case:groups-written-on-a-counter-set-are-not-stored
    @KEP-5963/api-validation/slice-field-on-counter-consumption
    Scenario: Groups written on a counter set are not stored
      Given the counter set
        | set   | counter units |
        | gpu-0 | 100           |
      When the ResourceSlice "pool-1-counters" is created with
        | field                                      | value |
        | spec.sharedCounters[0].compatibilityGroups | [mig] |
      Then the field "spec.sharedCounters[0].compatibilityGroups" is dropped

    @case:groups-written-are-not-stored
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario Outline: Groups written <where> are not stored
      Given a claim "c" requesting 1 device
      When the ResourceClaim "c" is created with
        | field   | value   |
        | <field> | <value> |
      Then the field "<field>" is dropped

      Examples:
        | where                       | field                                                | value          |
        | in a request of a claim     | spec.devices.requests[0].exactly.compatibilityGroups | [mig]          |
        | beside a request of a claim | spec.devices.requests[0].compatibilityGroups         | [mig]          |
        | in a claim                  | spec.devices.compatibilityGroups                     | {gpu-0: [mig]} |

    @case:groups-written-in-a-constraint-are-not-stored
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario: Groups written in a constraint are not stored
      Given a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/gpu"
      When the ResourceClaim "c" is created with
        | field                                           | value |
        | spec.devices.constraints[0].compatibilityGroups | [mig] |
      Then the field "spec.devices.constraints[0].compatibilityGroups" is dropped

    @case:groups-written-in-the-request-of-a-template-are-not
    @KEP-5963/api-validation/no-field-in-claim-spec
    Scenario: Groups written in the request of a template are not stored
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
      Then it is stored with
        | field                                                 | value           |
        | spec.spec.devices.requests[0].exactly.deviceClassName | gpu.example.com |
      And the field "spec.spec.devices.requests[0].exactly.compatibilityGroups" is dropped

  Rule: Names of groups mean something only to the driver that publishes them

    @case:a-slice-is-stored-with-a-name-of-a-group-that-no
    @KEP-5963/api-validation/opaque-and-unregistered
    Scenario: A slice is stored with a name of a group that no other device has
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
        | odd    | units 20       | only-here    |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @case:a-slice-is-stored-with-a-name-of-a-group-that
    @KEP-5963/api-validation/opaque-and-unregistered
    Scenario: A slice is stored with a name of a group that another driver uses too
      Given the devices
        | device | driver             | pool   | slice | counters set-0 | groups set-0 |
        | mig-0  | gpu.example.com    | pool-1 | gpus  | units 20       | mig          |
        | jet-0  | planes.example.com | pool-1 | jets  | units 20       | mig          |
      When the ResourceSlice "jets" is created
      Then it is stored as it was written

  @profile:kep @profile:since-1.34
  Rule: The result of an allocation records groups by counter set

    Background:
      Given a claim "c" requesting 1 device

    @case:the-groups-that-the-scheduler-records-in-a-claim-are
    @KEP-5963/api-validation/status-field @KEP-5963/create-strategy/claim-status-persisted-when-on
    Scenario: The groups that the scheduler records in a claim are stored as it wrote them
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
                  compatibilityGroups: {gpu-0: [mig], nvlink-0: [a, bridge]}
        """
      Then it is stored as it was written
      But since Kubernetes 1.34, because releases know no record of groups in claims: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped

    @case:groups-recorded-in-a-claim-without-the-name-of-a
    @KEP-5963/api-validation/status-field
    Scenario: Groups recorded in a claim without the name of a counter set are rejected
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
                  compatibilityGroups: [mig]
        """
      Then it is rejected
      But since Kubernetes 1.34, because releases know no record of groups in claims: the field "status.allocation.devices.results[0].compatibilityGroups" is dropped
