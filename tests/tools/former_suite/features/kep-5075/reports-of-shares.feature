@profile:kep @profile:since-1.35
Feature: Two managers report of two shares of one device
  Driver, device, pool and share ID together are the key of a report, so that server-side apply keeps what another manager
  says of another share.

  Background:
    Given the devices
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
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
    When manager "one" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 1}}
      """
    Then the field "status.devices[0].data" is set to {speed: 1}

  @case:another-report-of-the-share-that-the-first-manager
  @KEP-5075/status/device-status-share-id
  Scenario: Another report of the share that the first manager reported of is a conflict
    When manager "two" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 2}}
      """
    Then it is rejected as Conflict
