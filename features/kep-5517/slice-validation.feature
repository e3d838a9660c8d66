Feature: API validation of nodeAllocatableResourceMappings
  A device in a ResourceSlice maps each node resource by a capacity of the device (capacityKey), by a multiplier, or by
  both.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity cores | mapping cpu |
      | cpu0   | yes                      | 8              | 2 x cores   |

  Rule: Node resource names in device mappings

    @case:node-resource-stored
    @KEP-5517/api-validation/node-resource-keys-accepted
    Scenario Outline: A device mapping to CPU, memory or huge pages is stored
      When ResourceSlice "pool-1-slice" is created with
        | field                                                       | value                        |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>]  | {allocationMultiplier: "1"}  |
        | spec.devices[0].nodeAllocatableResources[<resource>].mapping | {deviceMultiplier: "1"}      |
      Then the object is stored with
        | field                                                      | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>] | {allocationMultiplier: "1"} |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                                       | value                   |
        | spec.devices[0].nodeAllocatableResources[<resource>].mapping | {deviceMultiplier: "1"} |

      Examples:
        | resource      |
        | cpu           |
        | memory        |
        | hugepages-2Mi |
        | hugepages-1Gi |

    @case:ephemeral-storage-stored
    @KEP-5517/api-validation/node-resource-keys-accepted
    Scenario: A device mapping to ephemeral storage is stored
      When ResourceSlice "pool-1-slice" is created with
        | field                                                             | value                          |
        | spec.devices[0].nodeAllocatableResourceMappings[ephemeral-storage] | {allocationMultiplier: "10Gi"} |
      Then the object is stored
      When ResourceSlice "pool-1-slice" is read
      Then the object read has
        | field                                                                                  | value |
        | spec.devices[0].nodeAllocatableResourceMappings[ephemeral-storage].allocationMultiplier | 10Gi  |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object read has
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |

    @case:extended-resource-rejected
    @KEP-5517/api-validation/extended-resource-keys-rejected
    Scenario Outline: A device mapping to an extended resource is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                         | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[<resource>] | {allocationMultiplier: "1"} |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[<resource>]"
      But since Kubernetes 1.37, because these releases do not know the field: the object is stored

      Examples:
        | resource        |
        | example.com/gpu |
        | vendor.io/foo   |

    @case:extended-resource-in-update-rejected
    @KEP-5517/api-validation/extended-resource-keys-rejected
    Scenario: A device mapping to an extended resource is rejected in an update
      When ResourceSlice "pool-1-slice" is updated with
        | field                                                          | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings[vendor.io/x] | {allocationMultiplier: "1"} |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[vendor.io/x]"
      But since Kubernetes 1.37, because these releases do not know the field: the object is stored

    @case:extended-resource-in-new-field-rejected
    @KEP-5517/api-validation/extended-resource-keys-rejected @profile:since-1.37
    Scenario: An extended resource in nodeAllocatableResources is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                        | value                              |
        | spec.devices[0].nodeAllocatableResources[example.com/gpu]  | {mapping: {deviceMultiplier: "1"}} |
      Then the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[example.com/gpu]"

  Rule: Devices without node resource mappings

    @case:mapped-and-unmapped-device-stored
    @KEP-5517/api-validation/mapping-is-optional
    Scenario: A ResourceSlice with a mapped device and an unmapped device is stored
      Given the device
        | device | capacity cores |
        | gpu0   | 1              |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                                                     | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier  | 2     |
        | spec.devices[1].nodeAllocatableResourceMappings                           | null  |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | 2     |
        | spec.devices[1].nodeAllocatableResources                                 | null  |

  Rule: The capacityKey of a device mapping

    @case:capacity-key-unknown
    @KEP-5517/api-validation/capacity-key-must-exist-on-device
    Scenario Outline: A capacityKey that names no capacity of the device is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey  | <key> |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | <key> |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with NotFound at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is rejected with NotFound at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

      Examples:
        | key                     |
        | threads                 |
        | other.example.com/cores |

    @case:device-without-capacity
    @KEP-5517/api-validation/capacity-key-must-exist-on-device
    Scenario: A capacityKey is rejected if the device has no capacity
      When ResourceSlice "pool-1-slice" is created with
        | field                    | value |
        | spec.devices[0].capacity | null  |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with NotFound at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is rejected with NotFound at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

    @case:capacity-key-empty
    @KEP-5517/api-validation/capacity-key-is-qualified-name
    Scenario: An empty capacityKey is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey  | ""    |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | ""    |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"

    @case:capacity-key-with-domain
    @KEP-5517/api-validation/capacity-key-is-qualified-name
    Scenario: A capacityKey with a domain is stored
      When ResourceSlice "pool-1-slice" is created with
        | field                                                             | value                                                                        |
        | spec.devices[0].capacity                                          | {dra.example.com/cores: {value: "8"}}                                        |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu               | {capacityKey: dra.example.com/cores, allocationMultiplier: "1"}              |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping              | {capacityKey: dra.example.com/cores, capacityMultiplier: "1"}                |
      Then the object is stored with
        | field                                                           | value                 |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.capacityKey | dra.example.com/cores |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                                            | value                 |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityKey | dra.example.com/cores |

  Rule: The multiplier of a device mapping

    @case:multiplier-negative
    @KEP-5517/api-validation/multiplier-must-be-positive
    Scenario Outline: A device mapping with a negative multiplier is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | "<multiplier>" |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[cpu].allocationMultiplier"
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier"

      Examples:
        | multiplier |
        | -1         |
        | -500m      |

    @case:multiplier-zero
    @KEP-5517/api-validation/multiplier-must-be-positive @profile:since-1.36
    Scenario Outline: A device mapping with the multiplier zero is rejected since Kubernetes 1.36
      When ResourceSlice "pool-1-slice" is created with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | "<multiplier>" |
      Then the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResourceMappings[cpu].allocationMultiplier"
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier"

      Examples:
        | multiplier |
        | 0          |

    @case:multiplier-positive
    @KEP-5517/api-validation/multiplier-must-be-positive
    Scenario Outline: A device mapping with a positive whole or fractional multiplier is stored
      When ResourceSlice "pool-1-slice" is created with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier  | "<multiplier>" |
      Then the object is stored with
        | field                                                                    | value          |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | "<multiplier>" |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                                                   | value          |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier | "<multiplier>" |

      Examples:
        | multiplier |
        | 500m       |
        | 1          |
        | 1n         |

    @case:mapping-empty
    @KEP-5517/api-validation/mapping-needs-key-or-multiplier @profile:since-1.36
    Scenario: A device mapping with neither capacityKey nor multiplier is rejected
      When ResourceSlice "pool-1-slice" is created with
        | field                                                | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu  | {}    |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping | {}    |
      Then the object is rejected with Invalid at "spec.devices[0].nodeAllocatableResources[cpu].mapping"
      But in Kubernetes 1.36, because this release sets a missing multiplier to 1: the object is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 1     |

  Rule: Fields that are not part of the API

    @case:draft-field-dropped
    @KEP-5517/api-validation/old-field-names-are-not-the-api
    Scenario: The draft field nativeResourceMappings of a device is dropped
      When ResourceSlice "pool-1-slice" is created with
        | field                                           | value                                   |
        | spec.devices[0].nodeAllocatableResourceMappings | null                                    |
        | spec.devices[0].nativeResourceMappings          | {cpu: {quantityFrom: {capacity: cores}}} |
      Then the object is stored with
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nativeResourceMappings          | null  |

    @case:device-class-fields-dropped
    @KEP-5517/api-validation/no-device-class-fields-in-alpha @profile:kep @profile:since-1.34
    Scenario: Accounting policies and managesNodeAllocatableResources of a DeviceClass are dropped
      Given a DeviceClass "cpu"
      When DeviceClass "cpu" is created with
        | field                                            | value              |
        | spec.managesNativeResources                      | true               |
        | spec.managesNodeAllocatableResources             | true               |
        | spec.nodeAllocatableResourceAccountingPolicies   | {cpu: ConsumeFrom} |
      Then the object is stored with
        | field                                          | value |
        | spec.managesNativeResources                    | null  |
        | spec.managesNodeAllocatableResources           | null  |
        | spec.nodeAllocatableResourceAccountingPolicies | null  |

    @case:accounting-policy-dropped
    @KEP-5517/api-validation/no-device-class-fields-in-alpha
    Scenario: An accountingPolicy in a device mapping is dropped
      When ResourceSlice "pool-1-slice" is created with
        | field                                                                | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy | Max   |
      Then the object is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.accountingPolicy     | null  |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 2     |
      But since Kubernetes 1.37, because these releases do not know the field: the field "spec.devices[0].nodeAllocatableResourceMappings" is dropped
