Feature: Updates of stored objects with DRAConsumableCapacity on or off
  With the gate off, an object that already uses the feature keeps all its fields. Other objects cannot start to
  use the feature.

  @case:gate-on-device-becomes-shared
  @KEP-5075/update-strategy/keep-when-enabled
  Scenario: With DRAConsumableCapacity on, an update can make a device multi-allocatable
    Given the device
      | device | capacity bandwidth |
      | eth1   | 10                 |
    When ResourceSlice "pool-1-slice" is updated with
      | field                                                            | value |
      | spec.devices[0].allowMultipleAllocations                         | true  |
      | spec.devices[0].capacity[bandwidth].requestPolicy.default        | 1     |
      | spec.devices[0].capacity[bandwidth].requestPolicy.validRange.min | 1     |
    Then the object is stored as written

  Rule: Updates with DRAConsumableCapacity off

    Background:
      Given the feature gate "DRAConsumableCapacity" is off

    @case:gate-off-device-stays-exclusive
    @KEP-5075/update-strategy/slice-drop-if-unused
    Scenario: With DRAConsumableCapacity off, an update cannot make the only device multi-allocatable
      Given the device
        | device | capacity bandwidth |
        | eth1   | 10                 |
      When ResourceSlice "pool-1-slice" is updated with
        | field                                    | value |
        | spec.pool.generation                     | 2     |
        | spec.devices[0].allowMultipleAllocations | true  |
      Then the object is stored with
        | field                | value |
        | spec.pool.generation | 2     |
      And the field "spec.devices[0].allowMultipleAllocations" is dropped

    @case:gate-off-slice-adds-shared-device
    @KEP-5075/update-strategy/slice-keep-if-used
    Scenario: With DRAConsumableCapacity off, a second multi-allocatable device can be added to a slice
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 1               |
      When ResourceSlice "pool-1-slice" is updated with
        | field           | value                                                                                                         |
        | spec.devices[1] | {name: eth2, allowMultipleAllocations: true, capacity: {bandwidth: {value: 10, requestPolicy: {default: 1}}}} |
      Then the object is stored as written

    @case:gate-off-capacity-claim-gets-share
    @KEP-5075/update-strategy/claim-keep-if-spec-used
    Scenario: With DRAConsumableCapacity off, a new shareID is kept if the claim requests capacity
      Given a ResourceClaim "c" requesting 3 of "bandwidth"
      When the status of ResourceClaim "c" is updated with
        | field                             | value                                                                                                                                                 |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then the object is stored as written

    @case:gate-off-capacity-claim-gets-two-shares
    @KEP-5075/update-strategy/claim-keep-if-spec-used
    Scenario: With DRAConsumableCapacity off, two new shareIDs are kept if the claim requests capacity
      Given a ResourceClaim "c" with the request
        | count | capacity bandwidth |
        | 2     | 3                  |
      When the status of ResourceClaim "c" is updated with
        | field                             | value |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}, {request: r0, driver: dra.example.com, pool: pool-1, device: eth2, shareID: b671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then the object is stored as written

    @case:gate-off-unused-claim-gets-no-share
    @KEP-5075/update-strategy/claim-drop-if-unused
    Scenario: With DRAConsumableCapacity off, a new shareID is dropped from a claim without capacity
      Given a ResourceClaim "c" requesting no capacity
      When the status of ResourceClaim "c" is updated with
        | field                             | value                                                                                                                                                 |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then the object is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | eth1  |
      And the field "status.allocation.devices.results[0].shareID" is dropped
      And the field "status.allocation.devices.results[0].consumedCapacity" is dropped

    @case:gate-off-unused-claim-gets-no-second-share
    @KEP-5075/update-strategy/claim-drop-if-unused
    Scenario: With DRAConsumableCapacity off, two new shareIDs are dropped from a claim without capacity
      Given a ResourceClaim "c" requesting 2 devices
      When the status of ResourceClaim "c" is updated with
        | field                             | value |
        | status.allocation.devices.results | [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}, {request: r0, driver: dra.example.com, pool: pool-1, device: eth2, shareID: b671734a-e8e5-11e4-8fde-42010af09327, consumedCapacity: {bandwidth: 3}}] |
      Then the object is stored with
        | field                                       | value |
        | status.allocation.devices.results[0].device | eth1  |
        | status.allocation.devices.results[1].device | eth2  |
      And the field "status.allocation.devices.results[0].shareID" is dropped
      And the field "status.allocation.devices.results[1].shareID" is dropped
      And the field "status.allocation.devices.results[1].consumedCapacity" is dropped

    @case:gate-off-share-kept
    @KEP-5075/update-strategy/claim-keep-if-status-used
    Scenario: With DRAConsumableCapacity off, reserving a claim leaves its shared allocation unchanged
      Given ResourceClaim "c" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 4                          | s1      |
      When the status of ResourceClaim "c" is updated with
        | field              | value                                 |
        | status.reservedFor | [{resource: pods, name: p, uid: p-1}] |
      Then the object is stored as written
