Feature: Updates while the feature gate is off keep what is in use and drop what is not

  @case:a-slice-that-uses-the-fields-keeps-them
  @KEP-5075/update-strategy/slice-keep-if-used
  Scenario: A slice that uses the fields keeps them
    Given the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 1 |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the ResourceSlice "pool-1-slice" is updated with
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 20    |
    Then it is stored with
      | field                                             | value |
      | spec.devices[0].allowMultipleAllocations          | true  |
      | spec.devices[0].capacity.bw.requestPolicy.default | 1     |
      | spec.devices[0].capacity.bw.value                 | 20    |

  @case:a-slice-with-one-shared-device-may-get-another
  @KEP-5075/update-strategy/slice-keep-if-used
  Scenario: A slice with one shared device may get another
    Given the devices
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
      | eth2   |        | 10          |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the ResourceSlice "pool-1-slice" is updated with
      | field                                    | value |
      | spec.devices[1].allowMultipleAllocations | true  |
    Then it is stored with
      | field                                    | value |
      | spec.devices[0].allowMultipleAllocations | true  |
      | spec.devices[1].allowMultipleAllocations | true  |

  @case:a-slice-that-does-not-use-the-fields-does-not-get
  @KEP-5075/update-strategy/slice-drop-if-unused
  Scenario: A slice that does not use the fields does not get them
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the ResourceSlice "pool-1-slice" is updated with
      | field                                     | value        |
      | spec.devices[0].allowMultipleAllocations  | true         |
      | spec.devices[0].capacity.bw.requestPolicy | {default: 1} |
    Then the field "spec.devices[0].allowMultipleAllocations" is dropped
    And the field "spec.devices[0].capacity.bw.requestPolicy" is dropped

  @case:a-that-uses-the-fields-keeps-them
  @KEP-5075/update-strategy/claim-keep-if-spec-used
  Scenario Outline: A <kind> that uses the fields keeps them
    Given a claim "c" requesting 3 of "bw"
    And a template "c" requesting 3 of "bw"
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the <kind> "c" is updated with
      | field                | value   |
      | metadata.labels.team | network |
    Then it is stored with
      | field                                              | value   |
      | metadata.labels.team                               | network |
      | <devices>.requests[0].exactly.capacity.requests.bw | 3       |

    Examples:
      | kind                  | devices           |
      | ResourceClaim         | spec.devices      |
      | ResourceClaimTemplate | spec.spec.devices |

  @case:a-claim-that-holds-a-share-keeps-it-with-the-status
  @KEP-5075/update-strategy/claim-keep-if-status-used
  @KEP-5075/update-strategy/independent-of-device-status-gate @profile:kep @profile:until-1.36
  Scenario Outline: A claim that holds a share keeps it with the status of devices <state>
    Given the device
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
    And claim "c" already holds
      | device | consumed bw | share |
      | eth1   | 3           | s1    |
    And the feature gate "DRAResourceClaimDeviceStatus" is <state>
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the status of the ResourceClaim "c" is updated with
      | field              | value                                   |
      | status.reservedFor | [{resource: pods, name: p, uid: pod-p}] |
    Then it is stored with
      | field                                                    | value |
      | status.allocation.devices.results[0].consumedCapacity.bw | 3     |
      | status.reservedFor[0].name                               | p     |

    Examples:
      | state |
      | on    |
      | off   |

  @case:a-claim-that-holds-no-share-does-not-get-one
  @KEP-5075/update-strategy/claim-drop-if-unused
  Scenario: A claim that holds no share does not get one
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a claim "c" requesting no capacity
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the status of the ResourceClaim "c" is updated with
      | field             | value                                                                                                                                                                       |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, consumedCapacity: {bw: 3}}]}} |
    Then it is stored with
      | field                                                 | value |
      | status.allocation.devices.results[0].device           | eth1  |
      | status.allocation.devices.results[0].shareID          | null  |
      | status.allocation.devices.results[0].consumedCapacity | null  |

  @case:a-stored-selector-that-looks-at-sharing-survives
  @KEP-5075/selector/stored-expression-survives @profile:kep @profile:since-1.35
  Scenario: A stored selector that looks at sharing survives other changes of its class
    Given a device class "shared" that selects
      """
      device.allowMultipleAllocations == true
      """
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the DeviceClass "shared" is updated with
      | field                | value   |
      | metadata.labels.team | network |
    Then it is stored with
      | field                            | value                                     |
      | metadata.labels.team             | network                                   |
      | spec.selectors[0].cel.expression | "device.allowMultipleAllocations == true" |

  @case:a-selector-that-looks-at-sharing-is-refused-as-a-new
  @KEP-5075/selector/gate-off-new-expression @profile:since-1.35
  Scenario: A selector that looks at sharing is refused as a new one, though it is added to one that is stored
    Given a device class "shared" that selects
      """
      device.allowMultipleAllocations == true
      """
    When the feature gate "DRAConsumableCapacity" is turned off in the API server
    And the DeviceClass "shared" is updated with
      | field                            | value                                   |
      | spec.selectors[1].cel.expression | "!(device.allowMultipleAllocations == false)" |
    Then it is rejected with Invalid at "spec.selectors[1].cel.expression"

  @case:a-driver-reports-of-dedicated-devices-and-of-shares
  @KEP-5075/status/device-status-key-optional
  Scenario: A driver reports of dedicated devices and of shares side by side
    Given the devices
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
      | nic0   |        |             |
    And the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 2}}]}}
      status:
        allocation:
          devices:
            results:
              - {request: r0, driver: dra.example.com, pool: pool-1, device: nic0}
              - request: r0
                driver: dra.example.com
                pool: pool-1
                device: eth1
                shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01
                consumedCapacity: {bw: 1}
        devices:
          - {driver: dra.example.com, pool: pool-1, device: nic0, data: {speed: 1}}
      """
    When the status of the ResourceClaim "c" is updated with
      | field             | value                                                                                                                              |
      | status.devices[1] | {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 2}} |
    Then it is stored with
      | field                     | value                                |
      | status.devices[0].device  | nic0                                 |
      | status.devices[0].shareID | null                                 |
      | status.devices[0].data    | {speed: 1}                           |
      | status.devices[1].device  | eth1                                 |
      | status.devices[1].shareID | 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01 |
      | status.devices[1].data    | {speed: 2}                           |
