@profile:kep @profile:since-1.34
Feature: Server-side apply by several field managers
  Lists whose items have a key are put together, item by item. Others are replaced as a whole.

  @case:reserved-for-merged
  @API/object/lists
  Scenario: reservedFor entries that two field managers apply are merged
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d0}]}}
      """
    When field manager "one" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status: {reservedFor: [{apiGroup: example.com, resource: jobs, name: p, uid: u1}]}
      """
    Then the field "status.reservedFor[0].uid" is set to u1
    When field manager "two" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status: {reservedFor: [{apiGroup: example.com, resource: jobs, name: q, uid: u2}]}
      """
    Then the object is stored with
      | field                      | value |
      | status.reservedFor[0].name | p     |
      | status.reservedFor[1].name | q     |

  @case:device-conditions-merged
  @API/object/lists
  Scenario: Conditions that two field managers apply to the same device status are merged
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d0}]}}
      """
    When field manager "one" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - driver: dra.example.com
            pool: pool-1
            device: d0
            conditions: [{type: Ready, status: "True", reason: Because, message: "", lastTransitionTime: "2026-02-03T04:05:06Z"}]
      """
    Then the field "status.devices[0].conditions[0].type" is set to Ready
    When field manager "two" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status:
        devices:
          - driver: dra.example.com
            pool: pool-1
            device: d0
            conditions: [{type: Linked, status: "True", reason: Because, message: "", lastTransitionTime: "2026-02-03T04:05:06Z"}]
      """
    Then the object is stored with
      | field                                | value  |
      | status.devices[0].conditions[0].type | Ready  |
      | status.devices[0].conditions[1].type | Linked |

  @case:finalizers-merged
  @API/object/lists
  Scenario: Finalizers that two field managers apply are merged
    When field manager "one" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, finalizers: [example.com/one]}
      spec: {}
      """
    Then the field "metadata.finalizers" is set to [example.com/one]
    When field manager "two" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, finalizers: [example.com/two]}
      """
    Then the field "metadata.finalizers" is set to [example.com/one, example.com/two]

  @case:devices-replaced-by-force
  @API/object/lists
  Scenario: A forced apply of devices replaces the list of devices of another field manager
    When field manager "one" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: dra.example.com
        pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
        allNodes: true
        devices: [{name: d0}, {name: d1}]
      """
    Then the field "spec.devices[1].name" is set to d1
    When field manager "two" applies this object by force
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec: {devices: [{name: d1}, {name: d2}]}
      """
    Then the object is stored with
      | field                | value |
      | spec.devices[0].name | d1    |
      | spec.devices[1].name | d2    |
      | spec.devices[2]      | null  |

  @case:forced-apply-takes-ownership
  @API/object/field-managers
  Scenario: A forced apply overrides two other field managers, and an unforced apply conflicts
    When field manager "one" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, labels: {a: one}}
      spec: {}
      """
    Then the field "metadata.labels" is set to {a: one}
    When field manager "two" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, labels: {b: two}}
      """
    Then the field "metadata.labels" is set to {a: one, b: two}
    When field manager "three" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, labels: {a: three, b: three}}
      """
    Then the object is rejected as Conflict
    When field manager "three" applies this object by force
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu, labels: {a: three, b: three}}
      """
    Then the field "metadata.labels" is set to {a: three, b: three}

  @case:omitted-field-removed
  @API/object/field-managers
  Scenario: A label that its field manager omits from a later apply is removed despite a status apply
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d0}]}}
      """
    When field manager "one" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default, labels: {made: once}}
      """
    Then the field "metadata.labels.made" is set to once
    When field manager "one" applies the status of this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      status: {reservedFor: [{apiGroup: example.com, resource: jobs, name: p, uid: u1}]}
      """
    Then the field "status.reservedFor[0].uid" is set to u1
    When field manager "one" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      """
    Then the object is stored with
      | field                     | value |
      | metadata.labels.made      | null  |
      | status.reservedFor[0].uid | u1    |

  @case:null-patch-clears-reservations
  @API/object/lists
  Scenario: A patch that sets reservedFor to null removes the reservations and keeps the allocation
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
    When the status of ResourceClaim "c" is patched with
      """
      status: {reservedFor: null}
      """
    Then the object is stored with
      | field                                       | value |
      | status.reservedFor                          | null  |
      | status.allocation.devices.results[0].device | d0    |
