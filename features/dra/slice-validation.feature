@profile:kep @profile:since-1.34
Feature: Validation of ResourceSlices
  A ResourceSlice lists devices of one pool of one driver and says which nodes can access them. A ResourceSlice
  without one of these fields or with conflicting fields is rejected.

  Rule: Devices of a ResourceSlice

    @case:one-device
    @DRA/slice/one-or-more-devices-of-a-pool @DRA/slice/required-information
    Scenario: A ResourceSlice with one device is stored
      Given the device
        | device          | driver                      | pool           | node | slice     |
        | large-black-cat | resource-driver.example.com | black-cat-pool | *    | cat-slice |
      When ResourceSlice "cat-slice" is created
      Then the object is stored as written

    @case:several-devices
    @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: A ResourceSlice with several devices is stored
      Given the devices
        | device          | attribute color |
        | large-black-cat | string black    |
        | small-black-cat | string black    |
        | small-white-cat | string white    |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:no-devices
    @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: A ResourceSlice without devices is stored
      Given the device
        | device          |
        | large-black-cat |
      When ResourceSlice "pool-1-slice" is created with
        | field        | value |
        | spec.devices | []    |
      Then the object is stored

  Rule: Driver and pool of a ResourceSlice

    Background:
      Given the device
        | device          |
        | large-black-cat |

    @case:required-field-missing
    @DRA/slice/required-information
    Scenario Outline: A ResourceSlice without driver, pool name or resourceSliceCount is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field   | value |
        | <field> | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with <type> at "<field>"

      Examples:
        | what                 | field                        | type     |
        | the driver           | spec.driver                  | Required |
        | the name of the pool | spec.pool.name               | Required |
        | a number of slices   | spec.pool.resourceSliceCount | Invalid  |

    @case:pool-missing
    @DRA/slice/required-information
    Scenario: A ResourceSlice without pool is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field     | value |
        | spec.pool | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.pool.name"
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.pool.resourceSliceCount"

    @case:zero-slice-count
    @DRA/slice/required-information
    Scenario: A ResourceSlice with resourceSliceCount 0 is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                        | value |
        | spec.pool.resourceSliceCount | 0     |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.pool.resourceSliceCount"

  Rule: Node access fields of a ResourceSlice

    Background:
      Given the device
        | device          | node |
        | large-black-cat | n1   |

    @case:node-access-missing
    @DRA/slice/required-information @DRA/node-access/exactly-one-way
    Scenario: A ResourceSlice without any node access field is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field         | value |
        | spec.nodeName | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec"

    @case:node-name-only
    @DRA/node-access/exactly-one-way
    Scenario: A ResourceSlice with nodeName as its only node access field is stored
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:node-name-and-all-nodes
    @DRA/node-access/exactly-one-way
    Scenario: A ResourceSlice with both nodeName and allNodes is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field         | value |
        | spec.allNodes | true  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec"

  Rule: Counter sets of a ResourceSlice

    Background:
      Given the counter sets
        | counterSet     | counter memory | counter cores |
        | gpu-1-counters | 8Gi            | 4             |
        | gpu-2-counters | 8Gi            |               |

    @case:two-counter-sets
    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A ResourceSlice with two counter sets is stored
      When ResourceSlice "pool-1-counters" is created
      Then the object is stored as written

    @case:incomplete-counter-set
    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario Outline: A ResourceSlice with a counter set without name or counters is rejected
      When ResourceSlice "pool-1-counters" is created with
        | field   | value   |
        | <field> | <value> |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with <type> at "<field>"

      Examples:
        | how              | field                           | value | type     |
        | without a name   | spec.sharedCounters[1].name     | null  | Required |
        | without counters | spec.sharedCounters[1].counters | null  | Required |
        | of no counters   | spec.sharedCounters[1].counters | {}    | Required |

    @case:duplicate-counter-set-name
    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A ResourceSlice with two counter sets of the same name is rejected
      When ResourceSlice "pool-1-counters" is created with
        | field                       | value          |
        | spec.sharedCounters[1].name | gpu-1-counters |
      Then the object is rejected
      But since Kubernetes 1.35, because the document leaves open the type and the path of the error: the object is rejected with Duplicate at "spec.sharedCounters[1]"
      But in Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Duplicate at "spec.sharedCounters[1].name"

    @case:example-in-one-slice
    @DRA/partitionable/counter-sets-declare-shared-resources @DRA/partitionable/devices-reference-counters
    Scenario: The example ResourceSlice in the DRA docs, with a counter set and devices, is stored
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceSlice
        metadata: {name: resourceslice}
        spec:
          nodeName: worker-1
          pool: {name: pool, generation: 1, resourceSliceCount: 1}
          driver: dra.example.com
          sharedCounters:
            - {name: gpu-1-counters, counters: {memory: {value: 8Gi}}}
          devices:
            - name: device-1
              consumesCounters:
                - {counterSet: gpu-1-counters, counters: {memory: {value: 6Gi}}}
            - name: device-2
              consumesCounters:
                - {counterSet: gpu-1-counters, counters: {memory: {value: 6Gi}}}
        """
      Then the object is stored as written
      But since Kubernetes 1.35, because these releases require counter sets and devices in different ResourceSlices: the object is rejected with Invalid at "spec"

  Rule: Counters that the devices of a ResourceSlice consume

    Background:
      Given the devices
        | device   | consumesCounters gpu-1-counters |
        | device-1 | memory 6Gi                      |
        | device-2 | memory 6Gi, cores 1             |

    @case:counters-of-other-slice
    @DRA/partitionable/devices-reference-counters
    Scenario: A ResourceSlice whose devices consume counters of another ResourceSlice is stored
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written
      But in Kubernetes 1.34, because in these releases a device can only refer to counter sets of its own ResourceSlice: the object is rejected with Invalid at "spec.devices[0].consumesCounters[0].counterSet"

    @case:incomplete-consumes-counters
    @DRA/partitionable/devices-reference-counters
    Scenario Outline: A ResourceSlice is rejected if an entry of consumesCounters lacks counterSet or counters
      When ResourceSlice "pool-1-slice" is created with
        | field   | value |
        | <field> | null  |
      Then the object is rejected
      But since Kubernetes 1.35, because the document leaves open the type and the path of the error: the object is rejected with Required at "<field>"

      Examples:
        | how                        | field                                          |
        | without naming a set       | spec.devices[1].consumesCounters[0].counterSet |
        | without naming the amounts | spec.devices[1].consumesCounters[0].counters   |

  Rule: Taints of the devices in a ResourceSlice

    @case:taint-stored
    @DRA/taint/structure
    Scenario: A device taint is stored with key, value and effect
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                            | value                     |
        | spec.devices[0].taints[0].key    | dra.example.com/unhealthy |
        | spec.devices[0].taints[0].value  | Broken                    |
        | spec.devices[0].taints[0].effect | NoExecute                 |

    @case:taint-part-missing
    @DRA/taint/structure
    Scenario Outline: A device taint without key or effect is rejected
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When ResourceSlice "pool-1-slice" is created with
        | field                            | value |
        | spec.devices[0].taints[0].<part> | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with <type> at "spec.devices[0].taints[0].<part>"

      Examples:
        | part   | type     |
        | key    | Invalid  |
        | effect | Required |

    @case:taint-without-value
    @DRA/taint/structure
    Scenario: A device taint without value is stored
      Given the device
        | device | taints                              |
        | gpu-0  | dra.example.com/unhealthy:NoExecute |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored
      And the field "spec.devices[0].taints[0].value" is dropped

    @case:time-added-stored
    @DRA/toleration/taint-time-recorded
    Scenario: The timeAdded of a device taint is stored as the driver sets it
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When ResourceSlice "pool-1-slice" is created with
        | field                               | value                  |
        | spec.devices[0].taints[0].timeAdded | "2025-01-01T10:00:00Z" |
      Then the object is stored with
        | field                               | value                  |
        | spec.devices[0].taints[0].timeAdded | "2025-01-01T10:00:00Z" |

    @case:time-added-kept
    @DRA/toleration/taint-time-recorded
    Scenario: The timeAdded of a device taint does not change when the ResourceSlice is updated
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: gpus}
        spec:
          driver: dra.example.com
          nodeName: n1
          pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
          devices:
            - name: gpu-0
              taints:
                - {key: unhealthy, effect: NoExecute, timeAdded: "2025-01-01T10:00:00Z"}
        """
      When ResourceSlice "gpus" is updated with
        | field                                   | value |
        | spec.devices[0].attributes.model.string | a100  |
      Then the object is stored as written
