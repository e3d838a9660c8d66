@profile:kep @profile:since-1.35
Feature: Server-side apply of device status by two field managers
  Driver, device, pool and shareID together are the key of an entry in status.devices. Server-side apply therefore keeps
  the entry that another field manager applied for another shareID.

  Background:
    Given the devices
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
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
              - {request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, consumedCapacity: {bw: 1}}
              - {request: r0, driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a02, consumedCapacity: {bw: 2}}
      """
    When field manager "one" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 1}}
      """
    Then the field "status.devices[0].data" is set to {speed: 1}

  @case:second-share-merged
  @KEP-5075/status/device-status-share-id
  Scenario: A second field manager can add a device status with another shareID
    When field manager "two" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a02, data: {speed: 2}}
      """
    Then the object is stored with
      | field                     | value                                |
      | status.devices[0].shareID | 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01 |
      | status.devices[0].data    | {speed: 1}                           |
      | status.devices[1].shareID | 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a02 |
      | status.devices[1].data    | {speed: 2}                           |

  @case:same-share-conflicts
  @KEP-5075/status/device-status-share-id
  Scenario: A second field manager that applies a device status with the same shareID gets a conflict
    When field manager "two" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 2}}
      """
    Then the object is rejected as Conflict
