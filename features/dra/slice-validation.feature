@profile:kep @profile:since-1.34
Feature: What a ResourceSlice must say
  A slice tells of devices of one pool of one driver, and which nodes can access them. What leaves one of these out,
  or says it twice, is rejected.

  Rule: A slice lists devices of one pool of one driver

    @DRA/slice/one-or-more-devices-of-a-pool @DRA/slice/required-information
    Scenario: A slice with one device is stored as it was written
      Given the device
        | device          | driver                      | pool           | node | slice     |
        | large-black-cat | resource-driver.example.com | black-cat-pool | *    | cat-slice |
      When the ResourceSlice "cat-slice" is created
      Then it is stored as it was written

    @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: A slice with three devices is stored as it was written
      Given the devices
        | device          | attribute color |
        | large-black-cat | string black    |
        | small-black-cat | string black    |
        | small-white-cat | string white    |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: A slice of a pool that has no devices now is stored
      Given the device
        | device          |
        | large-black-cat |
      When the ResourceSlice "pool-1-slice" is created with
        | field        | value |
        | spec.devices | []    |
      Then it is stored

  Rule: A slice names its driver and its pool

    Background:
      Given the device
        | device          |
        | large-black-cat |

    @DRA/slice/required-information
    Scenario Outline: A slice without <what> is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field   | value |
        | <field> | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with <type> at "<field>"

      Examples:
        | what                 | field                        | type     |
        | the driver           | spec.driver                  | Required |
        | the name of the pool | spec.pool.name               | Required |
        | a number of slices   | spec.pool.resourceSliceCount | Invalid  |

    @DRA/slice/required-information
    Scenario: A slice that says nothing about its pool is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field     | value |
        | spec.pool | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec.pool.name"
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Invalid at "spec.pool.resourceSliceCount"

    @DRA/slice/required-information
    Scenario: A slice of a pool that has zero slices is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field                        | value |
        | spec.pool.resourceSliceCount | 0     |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Invalid at "spec.pool.resourceSliceCount"

  Rule: A slice says in one way which nodes can access its devices

    Background:
      Given the device
        | device          | node |
        | large-black-cat | n1   |

    @DRA/slice/required-information @DRA/node-access/exactly-one-way
    Scenario: A slice that does not say which nodes can access its devices is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field         | value |
        | spec.nodeName | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec"

    @DRA/node-access/exactly-one-way
    Scenario: A slice for one node by its name is stored as it was written
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @DRA/node-access/exactly-one-way
    Scenario: A slice for one node and for all nodes is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field         | value |
        | spec.allNodes | true  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Invalid at "spec"

  Rule: A slice can list counter sets

    Background:
      Given the counter sets
        | set            | counter memory | counter cores |
        | gpu-1-counters | 8Gi            | 4             |
        | gpu-2-counters | 8Gi            |               |

    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A slice with two counter sets is stored as it was written
      When the ResourceSlice "pool-1-counters" is created
      Then it is stored as it was written

    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario Outline: A slice with a counter set <how> is rejected
      When the ResourceSlice "pool-1-counters" is created with
        | field   | value   |
        | <field> | <value> |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with <type> at "<field>"

      Examples:
        | how              | field                           | value | type     |
        | without a name   | spec.sharedCounters[1].name     | null  | Required |
        | without counters | spec.sharedCounters[1].counters | null  | Required |
        | of no counters   | spec.sharedCounters[1].counters | {}    | Required |

    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A slice with two counter sets of the same name is rejected
      When the ResourceSlice "pool-1-counters" is created with
        | field                       | value          |
        | spec.sharedCounters[1].name | gpu-1-counters |
      Then it is rejected
      But since Kubernetes 1.35, because the document leaves open where and how it is reported: it is rejected with Duplicate at "spec.sharedCounters[1]"
      But in Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Duplicate at "spec.sharedCounters[1].name"

    @DRA/partitionable/counter-sets-declare-shared-resources @DRA/partitionable/devices-reference-counters
    Scenario: The slice of the page, with a counter set and the devices that consume from it, is stored
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
      Then it is stored as it was written
      But since Kubernetes 1.35, because since this release counter sets and devices must be in different slices: it is rejected with Invalid at "spec"

  Rule: A device refers to the counters that it consumes

    Background:
      Given the devices
        | device   | counters gpu-1-counters |
        | device-1 | memory 6Gi              |
        | device-2 | memory 6Gi, cores 1     |

    @DRA/partitionable/devices-reference-counters
    Scenario: A slice with devices that consume counters of another slice is stored as it was written
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written
      But in Kubernetes 1.34, because in these releases a device can only refer to counter sets of its own slice: it is rejected with Invalid at "spec.devices[0].consumesCounters[0].counterSet"

    @DRA/partitionable/devices-reference-counters
    Scenario Outline: A slice with a device that consumes counters <how> is rejected
      When the ResourceSlice "pool-1-slice" is created with
        | field   | value |
        | <field> | null  |
      Then it is rejected
      But since Kubernetes 1.35, because the document leaves open where and how it is reported: it is rejected with Required at "<field>"

      Examples:
        | how                        | field                                          |
        | without naming a set       | spec.devices[1].consumesCounters[0].counterSet |
        | without naming the amounts | spec.devices[1].consumesCounters[0].counters   |

  Rule: A taint has a key, a value and an effect

    @DRA/taint/structure
    Scenario: A slice with a device that has a taint is stored with key, value and effect
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                            | value                     |
        | spec.devices[0].taints[0].key    | dra.example.com/unhealthy |
        | spec.devices[0].taints[0].value  | Broken                    |
        | spec.devices[0].taints[0].effect | NoExecute                 |

    @DRA/taint/structure
    Scenario Outline: A slice with a device that has a taint without <part> is rejected
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When the ResourceSlice "pool-1-slice" is created with
        | field                            | value |
        | spec.devices[0].taints[0].<part> | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with <type> at "spec.devices[0].taints[0].<part>"

      Examples:
        | part   | type     |
        | key    | Invalid  |
        | effect | Required |

    @DRA/taint/structure
    Scenario: A slice with a device that has a taint without a value is stored
      Given the device
        | device | taints                              |
        | gpu-0  | dra.example.com/unhealthy:NoExecute |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored
      And the field "spec.devices[0].taints[0].value" is dropped

    @DRA/toleration/taint-time-recorded
    Scenario: The time at which a taint was added is stored as the driver gives it
      Given the device
        | device | taints                                     |
        | gpu-0  | dra.example.com/unhealthy=Broken:NoExecute |
      When the ResourceSlice "pool-1-slice" is created with
        | field                               | value                  |
        | spec.devices[0].taints[0].timeAdded | "2025-01-01T10:00:00Z" |
      Then it is stored with
        | field                               | value                  |
        | spec.devices[0].taints[0].timeAdded | "2025-01-01T10:00:00Z" |

    @DRA/toleration/taint-time-recorded
    Scenario: A later update of the slice leaves the time at which the taint was added
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
      When the ResourceSlice "gpus" is updated with
        | field                                   | value |
        | spec.devices[0].attributes.model.string | a100  |
      Then it is stored as it was written
