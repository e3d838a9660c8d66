Feature: Updates after DRAConsumableCapacity is turned off

  @case:used-slice-keeps-fields
  @KEP-5075/update-strategy/slice-keep-if-used
  Scenario: With DRAConsumableCapacity off, updates keep allowMultipleAllocations and requestPolicy
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 1        |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And ResourceSlice "pool-1-slice" is updated with
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 20    |
    Then the object is stored with
      | field                                             | value |
      | spec.devices[0].allowMultipleAllocations          | true  |
      | spec.devices[0].capacity.bw.requestPolicy.default | 1     |
      | spec.devices[0].capacity.bw.value                 | 20    |
    When ResourceSlice "pool-1-slice" is updated with
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 30    |
    Then the object is stored with
      | field                                             | value |
      | spec.devices[0].allowMultipleAllocations          | true  |
      | spec.devices[0].capacity.bw.requestPolicy.default | 1     |

  @case:used-slice-gets-second-shared-device
  @KEP-5075/update-strategy/slice-keep-if-used
  Scenario: With DRAConsumableCapacity off, an update can make a second device multi-allocatable
    Given the devices
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
      | eth2   |                          | 10          |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And ResourceSlice "pool-1-slice" is updated with
      | field                                    | value |
      | spec.devices[1].allowMultipleAllocations | true  |
    Then the object is stored with
      | field                                    | value |
      | spec.devices[0].allowMultipleAllocations | true  |
      | spec.devices[1].allowMultipleAllocations | true  |

  @case:unused-slice-drops-fields
  @KEP-5075/update-strategy/slice-drop-if-unused
  Scenario: With DRAConsumableCapacity off, an update cannot add a requestPolicy to a ResourceSlice
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And ResourceSlice "pool-1-slice" is updated with
      | field                                     | value        |
      | spec.devices[0].allowMultipleAllocations  | true         |
      | spec.devices[0].capacity.bw.requestPolicy | {default: 1} |
    Then the field "spec.devices[0].allowMultipleAllocations" is dropped
    And the field "spec.devices[0].capacity.bw.requestPolicy" is dropped

  @case:used-claim-and-template-keep-capacity
  @KEP-5075/update-strategy/claim-keep-if-spec-used
  Scenario Outline: An update keeps a <kind>'s capacity request if DRAConsumableCapacity is off
    Given a ResourceClaim "c" requesting 3 of "bw"
    And a ResourceClaimTemplate "c" requesting 3 of "bw"
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And <kind> "c" is updated with
      | field                | value   |
      | metadata.labels.team | network |
    Then the object is stored with
      | field                                              | value   |
      | metadata.labels.team                               | network |
      | <devices>.requests[0].exactly.capacity.requests.bw | 3       |

    Examples:
      | kind                  | devices           |
      | ResourceClaim         | spec.devices      |
      | ResourceClaimTemplate | spec.spec.devices |

  @case:share-kept-with-any-device-status-gate
  @KEP-5075/update-strategy/claim-keep-if-status-used
  @KEP-5075/update-strategy/independent-of-device-status-gate @profile:kep @profile:until-1.36
  Scenario Outline: With DRAConsumableCapacity off and DRAResourceClaimDeviceStatus <state>, a shareID is kept
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And ResourceClaim "c" is already allocated
      | device | consumedCapacity bw | shareID |
      | eth1   | 3                   | s1      |
    And the feature gate "DRAResourceClaimDeviceStatus" is <state>
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the status of ResourceClaim "c" is updated with
      | field              | value                                   |
      | status.reservedFor | [{resource: pods, name: p, uid: pod-p}] |
    Then the object is stored with
      | field                                                    | value |
      | status.allocation.devices.results[0].consumedCapacity.bw | 3     |
      | status.reservedFor[0].name                               | p     |
    And the field "status.allocation.devices.results[0].shareID" is set

    Examples:
      | state |
      | on    |
      | off   |

  @case:capacity-added-to-claim-with-share
  @KEP-5075/update-strategy/claim-keep-if-status-used
  Scenario Outline: With DRAConsumableCapacity off, an update adds no capacity field to a claim with a shareID
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "c" requesting no capacity
    And ResourceClaim "c" is already allocated
      | device | consumedCapacity bw | shareID |
      | eth1   | 10                  | s1      |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And ResourceClaim "c" is updated with
      | field   | value   |
      | <field> | <value> |
    Then since Kubernetes 1.35, because the KEP does not say whether the update drops the field or is rejected: the object is <outcome>
    When ResourceClaim "c" is read
    Then the object read has
      | field                                                    | value |
      | spec.devices.requests[0].exactly.capacity                | null  |
      | spec.devices.constraints                                 | null  |
      | status.allocation.devices.results[0].consumedCapacity.bw | 10    |

    Examples:
      | field                                     | value                                    | outcome                         |
      | spec.devices.requests[0].exactly.capacity | {requests: {bw: 3}}                      | stored                          |
      | spec.devices.constraints                  | [{distinctAttribute: dra.example.com/x}] | rejected with Invalid at "spec" |

  @case:unused-claim-drops-share
  @KEP-5075/update-strategy/claim-drop-if-unused
  Scenario: With DRAConsumableCapacity off, consumedCapacity is dropped from a claim without capacity
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a ResourceClaim "c" requesting no capacity
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the status of ResourceClaim "c" is updated with
      | field             | value                                                                                                                                                                       |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, consumedCapacity: {bw: 3}}]}} |
    Then the object is stored with
      | field                                                 | value |
      | status.allocation.devices.results[0].device           | eth1  |
      | status.allocation.devices.results[0].shareID          | null  |
      | status.allocation.devices.results[0].consumedCapacity | null  |

  @case:stored-selector-survives
  @KEP-5075/selector/stored-expression-survives @profile:kep @profile:since-1.35
  Scenario: With DRAConsumableCapacity off, a DeviceClass keeps its allowMultipleAllocations selector
    Given a DeviceClass "shared" with the selector
      """
      device.allowMultipleAllocations == true
      """
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And DeviceClass "shared" is updated with
      | field                | value   |
      | metadata.labels.team | network |
    Then the object is stored with
      | field                            | value                                     |
      | metadata.labels.team             | network                                   |
      | spec.selectors[0].cel.expression | "device.allowMultipleAllocations == true" |

  @case:added-selector-rejected
  @KEP-5075/selector/gate-off-new-expression @profile:since-1.35
  Scenario: With DRAConsumableCapacity off, a second allowMultipleAllocations selector is rejected
    Given a DeviceClass "shared" with the selector
      """
      device.allowMultipleAllocations == true
      """
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And DeviceClass "shared" is updated with
      | field                            | value                                   |
      | spec.selectors[1].cel.expression | "!(device.allowMultipleAllocations == false)" |
    Then the object is rejected with Invalid at "spec.selectors[1].cel.expression"
