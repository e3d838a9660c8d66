Feature: Which slices say what their devices take of a node
  What a device takes of its node's own resources is in its slice: a capacity of the device, a multiplier, or
  both, for each resource.

  Background:
    Given the device
      | device | shared | capacity cores | takes cpu |
      | cpu0   | yes    | 8              | 2 x cores |

  Rule: Resources that nodes have themselves

    @case:a-device-may-take
    @KEP-5517/api-validation/node-resource-keys-accepted
    Scenario Outline: A device may take <resource>
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                       | value                        |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>]  | {allocationMultiplier: "1"}  |
        | spec.devices[0].nodeAllocatableResources[<resource>].mapping | {deviceMultiplier: "1"}      |
      Then it is stored with
        | field                                                      | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>] | {allocationMultiplier: "1"} |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                                       | value                   |
        | spec.devices[0].nodeAllocatableResources[<resource>].mapping | {deviceMultiplier: "1"} |

      Examples:
        | resource      |
        | cpu           |
        | memory        |
        | hugepages-2Mi |
        | hugepages-1Gi |

    @case:a-device-may-take-ephemeral-storage
    @KEP-5517/api-validation/node-resource-keys-accepted
    Scenario: A device may take ephemeral storage
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                             | value                          |
        | spec.devices[0].nodeAllocatableResourceMappings[ephemeral-storage] | {allocationMultiplier: "10Gi"} |
      Then it is stored
      When the ResourceSlice "pool-1-slice" is read
      Then it reads
        | field                                                                                  | value |
        | spec.devices[0].nodeAllocatableResourceMappings[ephemeral-storage].allocationMultiplier | 10Gi  |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it reads
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |

    @case:a-device-may-not-take-the-extended-resource
    @KEP-5517/api-validation/extended-resource-keys-rejected
    Scenario Outline: A device may not take the extended resource <resource>
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                         | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>] | {allocationMultiplier: "1"} |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[<resource>]"
      But since Kubernetes 1.37, because the field is unknown there: it is stored

      Examples:
        | resource        |
        | example.com/gpu |
        | vendor.io/foo   |

    @case:a-driver-cannot-add-an-extended-resource-later
    @KEP-5517/api-validation/extended-resource-keys-rejected
    Scenario: A driver cannot add an extended resource later
      When the ResourceSlice "pool-1-slice" is updated with
        | field                                                          | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[vendor.io/x] | {allocationMultiplier: "1"} |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[vendor.io/x]"
      But since Kubernetes 1.37, because the field is unknown there: it is stored

    @case:nodeallocatableresources-has-no-extended-resources
    @KEP-5517/api-validation/extended-resource-keys-rejected @profile:since-1.37
    Scenario: nodeAllocatableResources has no extended resources either
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                        | value                              |
        | spec.devices[0].nodeAllocatableResources[example.com/gpu]  | {mapping: {deviceMultiplier: "1"}} |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[example.com/gpu]"

  Rule: The mapping is optional

    @case:one-slice-has-a-device-that-takes-something-and-one
    @KEP-5517/api-validation/mapping-is-optional
    Scenario: One slice has a device that takes something and one that takes nothing
      Given the device
        | device | capacity cores |
        | gpu0   | 1              |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                                                     | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier  | 2     |
        | spec.devices[1].nodeAllocatableResourceMappings                           | null  |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | 2     |
        | spec.devices[1].nodeAllocatableResources                                 | null  |

  Rule: A capacity that is mapped is the device's own

    @case:the-capacity-of-a-mapping-must-be-on-the-device
    @KEP-5517/api-validation/capacity-key-must-exist-on-device
    Scenario Outline: The capacity <key> of a mapping must be on the device
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey  | <key> |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | <key> |
      Then it is rejected with NotFound at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is rejected with NotFound at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

      Examples:
        | key                     |
        | threads                 |
        | other.example.com/cores |

    @case:a-device-without-capacity-cannot-be-mapped-by-one
    @KEP-5517/api-validation/capacity-key-must-exist-on-device
    Scenario: A device without capacity cannot be mapped by one
      When the ResourceSlice "pool-1-slice" is created with
        | field                    | value |
        | spec.devices[0].capacity | null  |
      Then it is rejected with NotFound at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is rejected with NotFound at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

    @case:the-name-of-the-capacity-must-not-be-empty
    @KEP-5517/api-validation/capacity-key-is-qualified-name
    Scenario: The name of the capacity must not be empty
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey  | ""    |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | ""    |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

    @case:the-name-of-the-capacity-may-have-a-domain
    @KEP-5517/api-validation/capacity-key-is-qualified-name
    Scenario: The name of the capacity may have a domain
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                             | value                                                                        |
        | spec.devices[0].capacity                                          | {dra.example.com/cores: {value: "8"}}                                        |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu               | {capacityKey: dra.example.com/cores, allocationMultiplier: "1"}              |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping              | {capacityKey: dra.example.com/cores, capacityMultiplier: "1"}                |
      Then it is stored with
        | field                                                           | value                 |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey | dra.example.com/cores |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                                            | value                 |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | dra.example.com/cores |

  Rule: A multiplier is a positive amount

    @case:a-device-cannot-take-of-a-node
    @KEP-5517/api-validation/multiplier-must-be-positive
    Scenario Outline: A device cannot take <multiplier> of a node
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | "<multiplier>" |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[cpu].allocationMultiplier"
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier"

      Examples:
        | multiplier |
        | -1         |
        | 0          |
        | -500m      |

    @case:a-device-may-take-of-a-node
    @KEP-5517/api-validation/multiplier-must-be-positive
    Scenario Outline: A device may take <multiplier> of a node
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | "<multiplier>" |
      Then it is stored with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                                                   | value          |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier | "<multiplier>" |

      Examples:
        | multiplier |
        | 500m       |
        | 1          |
        | 1n         |

    @case:a-mapping-that-says-nothing-is-refused-by-releases
    @KEP-5517/api-validation/mapping-needs-key-or-multiplier @profile:since-1.36
    Scenario: A mapping that says nothing is refused by releases
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu  | {}    |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping | {}    |
      Then it is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping"
      But in Kubernetes 1.36, because a missing multiplier becomes 1 there: it is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 1     |

  Rule: The fields are those of the API, not those of a draft

    @case:the-names-of-a-draft-are-unknown-fields
    @KEP-5517/api-validation/old-field-names-are-not-the-api
    Scenario: The names of a draft are unknown fields
      When the ResourceSlice "pool-1-slice" is created with
        | field                                           | value                                   |
        | spec.devices[0].nodeAllocatableResourceMappings | null                                    |
        | spec.devices[0].nativeResourceMappings          | {cpu: {quantityFrom: {capacity: cores}}} |
      Then it is stored with
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nativeResourceMappings          | null  |

    @case:a-device-class-says-nothing-of-nodes
    @KEP-5517/api-validation/no-device-class-fields-in-alpha @profile:kep @profile:since-1.34
    Scenario: A device class says nothing of nodes
      Given a device class "cpu"
      When the DeviceClass "cpu" is created with
        | field                                            | value              |
        | spec.managesNativeResources                      | true               |
        | spec.managesNodeAllocatableResources             | true               |
        | spec.nodeAllocatableResourceAccountingPolicies   | {cpu: ConsumeFrom} |
      Then it is stored with
        | field                                          | value |
        | spec.managesNativeResources                    | null  |
        | spec.managesNodeAllocatableResources           | null  |
        | spec.nodeAllocatableResourceAccountingPolicies | null  |

    @case:a-mapping-has-no-accounting-policy
    @KEP-5517/api-validation/no-device-class-fields-in-alpha
    Scenario: A mapping has no accounting policy
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                                | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy | Max   |
      Then it is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy     | null  |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 2     |
      But since Kubernetes 1.37, because the field is unknown there: the field "spec.devices[0].nodeAllocatableResourceMappings" is dropped
