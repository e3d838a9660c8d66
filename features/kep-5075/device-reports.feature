Feature: Device status of shared allocations
  A ResourceClaim can have several shared allocations of one device. The shareID distinguishes their entries in
  status.devices.

  Background:
    Given the fixture "claim-with-two-shares"

  @case:conditions-per-share
  @KEP-5075/status/device-status-share-id
  Scenario: The conditions of two shared allocations of a device are stored separately
    When the status of ResourceClaim "c" is updated with
      | field          | value                                                                                                                                                                                                                                                                                                                                                                                                                                               |
      | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, conditions: [{type: Ready, status: "True", reason: Up, message: up, lastTransitionTime: "2026-01-01T00:00:00Z"}]}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09328, conditions: [{type: Ready, status: "False", reason: Down, message: up, lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    Then the field "status.devices" is kept

  @case:network-data-per-share
  @KEP-5075/status/network-data-per-share
  Scenario: The networkData of two shared allocations of a device is stored separately
    When the status of ResourceClaim "c" is updated with
      | field          | value                                                                                                                                                                                                                                                                                                                              |
      | status.devices | [{driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09327, networkData: {interfaceName: net1, ips: [10.0.103.49/16]}}, {driver: cni.example.com, pool: pool-1, device: eth1, shareID: a671734a-e8e5-11e4-8fde-42010af09328, networkData: {interfaceName: net2, ips: [10.0.103.50/16]}}] |
    Then the field "status.devices" is kept
