Feature: What becomes of stored objects once DRAConsumableCapacity is off
  Turning the gate off must not tear apart what uses the feature: an object that uses it keeps all its fields, an
  object that does not cannot begin to.

  @case:with-the-gate-on-a-driver-can-start-to-share-a
  @KEP-5075/update-strategy/keep-when-enabled
  Scenario: With the gate on, a driver can start to share a device
    Given the device
      | device | capacity bandwidth |
      | eth1   | 10                 |
    When the ResourceSlice "pool-1-slice" is updated with
      | field                                                            | value |
      | spec.devices[0].allowMultipleAllocations                         | true  |
      | spec.devices[0].capacity[bandwidth].requestPolicy.default        | 1     |
      | spec.devices[0].capacity[bandwidth].requestPolicy.validRange.min | 1     |
    Then it is stored as it was written

  Rule: With the gate off

    Background:
      Given the feature gate "DRAConsumableCapacity" is off

    @case:a-driver-cannot-start-to-share-a-device-but-the-rest
    @KEP-5075/update-strategy/slice-drop-if-unused
    Scenario: A driver cannot start to share a device, but the rest of its update counts
      Given the device
        | device | capacity bandwidth |
        | eth1   | 10                 |
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                    | value |
        | spec.pool.generation                     | 2     |
        | spec.devices[0].allowMultipleAllocations | true  |
      Then it is stored with
        | field                | value |
        | spec.pool.generation | 2     |
      And the field "spec.devices[0].allowMultipleAllocations" is dropped

    @case:a-slice-that-shares-a-device-can-add-another-one
    @KEP-5075/update-strategy/slice-keep-if-used
    Scenario: A slice that shares a device can add another one
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 1        |
      When the ResourceSlice "pool-1-slice" is updated with
        | field           | value                                                                                                         |
        | spec.devices[1] | {name: eth2, allowMultipleAllocations: true, capacity: {bandwidth: {value: 10, requestPolicy: {default: 1}}}} |
      Then it is stored as it was written

    @case:a-claim-that-asks-for-an-amount-can-still-be
    @KEP-5075/update-strategy/claim-keep-if-spec-used
    Scenario: A claim that asks for an amount can still be allocated a share
      Given a claim "c" requesting 3 of "bandwidth"
      When the status of the ResourceClaim "c" is updated with
        | field                             | value                                                                                                                                                 |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then it is stored as it was written

    @case:a-claim-that-does-not-use-the-feature-is-allocated
    @KEP-5075/update-strategy/claim-drop-if-unused
    Scenario: A claim that does not use the feature is allocated the device, not a share
      Given a claim "c" requesting no capacity
      When the status of the ResourceClaim "c" is updated with
        | field                             | value                                                                                                                                                 |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then it is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | eth1  |
      And the field "status.allocation.devices.results[0].shareID" is dropped
      And the field "status.allocation.devices.results[0].consumedCapacity" is dropped

    @case:a-share-that-is-in-use-stays-what-it-is-when-another
    @KEP-5075/update-strategy/claim-keep-if-status-used
    Scenario: A share that is in use stays what it is when another pod reserves the claim
      Given claim "c" already holds
        | device | consumed bandwidth | share |
        | eth1   | 4                  | s1    |
      When the status of the ResourceClaim "c" is updated with
        | field              | value                                 |
        | status.reservedFor | [{resource: pods, name: p, uid: p-1}] |
      Then it is stored as it was written
