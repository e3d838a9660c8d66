Feature: The fields for compatibility groups
  A driver declares groups on the counters that a device consumes. The scheduler records them in the result of
  an allocation. There is no other place for them.

  @profile:kep @profile:since-1.34
  Rule: Groups cannot be declared anywhere else

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
