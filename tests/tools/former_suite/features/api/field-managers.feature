@profile:kep @profile:since-1.34
Feature: Server-side apply by several field managers
  Lists whose items have a key are put together, item by item. Others are replaced as a whole.

  @case:null-patch-clears-reservations
  @API/object/lists
  Scenario: A patch of reservedFor with null removes reservations and keeps the allocation
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d0}]}}
        reservedFor: [{apiGroup: example.com, resource: jobs, name: p, uid: u1}]
      """
    When the status of the ResourceClaim "c" is patched with
      """
      status: {reservedFor: null}
      """
    Then it is stored with
      | field                                       | value |
      | status.reservedFor                          | null  |
      | status.allocation.devices.results[0].device | d0    |
