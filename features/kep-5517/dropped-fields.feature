Feature: Fields dropped or kept while DRANodeAllocatableResources is off
  With the gate off, a field of the feature is dropped from a write, unless the stored object already uses the
  field.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity cores | mapping cpu | mapping memory |
      | cpu0   | yes                      | 8              | 2 x cores   | 8Gi            |

  Rule: Node resource mappings in ResourceSlices

    @case:mappings-stored
    @KEP-5517/create-strategy/gate-on-persists-mappings
    Scenario: Node resource mappings are stored unchanged with DRANodeAllocatableResources on
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                           | value                                                                                              |
        | spec.devices[0].nodeAllocatableResourceMappings | {cpu: {capacityKey: cores, allocationMultiplier: "2"}, memory: {allocationMultiplier: 8Gi}} |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                    | value                                                                                                             |
        | spec.devices[0].nodeAllocatableResources | {cpu: {mapping: {capacityKey: cores, capacityMultiplier: "2"}}, memory: {mapping: {deviceMultiplier: 8Gi}}} |

    @case:gate-off-drops-mappings
    @KEP-5517/create-strategy/gate-off-drops-mappings
    Scenario: Only the mappings are dropped from a new device with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored with
        | field                                           | value |
        | spec.devices[0].capacity.cores.value            | 8     |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

    @case:dropped-mappings-not-validated
    @KEP-5517/create-strategy/gate-off-drops-mappings
    Scenario: Invalid node resource mappings are dropped with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      When ResourceSlice "pool-1-slice" is created with
        | field                                                            | value                              |
        | spec.devices[0].nodeAllocatableResourceMappings[example.com/gpu] | {allocationMultiplier: "-1"}       |
        | spec.devices[0].nodeAllocatableResources[example.com/gpu]        | {mapping: {deviceMultiplier: "-1"}} |
      Then the object is stored with
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

    @case:gate-off-keeps-stored-mappings
    @KEP-5517/update-strategy/gate-off-keeps-mappings-in-use
    Scenario: An update keeps stored node resource mappings with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      When ResourceSlice "pool-1-slice" is updated with
        | field                           | value       |
        | spec.devices[0].attributes.numa | {int: 1}    |
      Then the object is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 2     |
        | spec.devices[0].attributes.numa.int                                      | 1     |
      But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: the object is stored with
        | field                                                                   | value |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier | 2     |
        | spec.devices[0].attributes.numa.int                                     | 1     |

    @case:gate-off-drops-added-mappings
    @KEP-5517/update-strategy/gate-off-drops-newly-added-mappings
    Scenario: An update cannot add node resource mappings with DRANodeAllocatableResources off
      Given the device
        | device | pool  | capacity cores |
        | gpu0   | other | 1              |
      And the feature gate "DRANodeAllocatableResources" is off
      When ResourceSlice "other-slice" is updated with
        | field                                                | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu  | {allocationMultiplier: "1"} |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping | {deviceMultiplier: "1"}     |
      Then the object is stored with
        | field                                           | value |
        | spec.devices[0].capacity.cores.value            | 1     |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

  Rule: nodeAllocatableResourceClaimStatuses in the pod status

    Background:
      Given a pod "p" that uses ResourceClaim "c"

    @case:status-entry-stored
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: nodeAllocatableResourceClaimStatuses is stored with DRANodeAllocatableResources on
      When the status of pod "p" is updated with
        | field                                       | value                                                                                                                       |
        | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
      Then the object is stored with
        | field                                                        | value    |
        | status.nodeAllocatableResourceClaimStatuses[0].resources.cpu | 4        |
      But since Kubernetes 1.37, because quantities are in the field mapping in these releases: the object is stored with
        | field                                                             | value |
        | status.nodeAllocatableResourceClaimStatuses[0].mapping[0].quantity | 4     |

    @case:gate-off-drops-first-entry
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: New nodeAllocatableResourceClaimStatuses are dropped with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      When the status of pod "p" is updated with
        | field                                       | value                                                                                                                       |
        | status.phase                                | Running                                                                                                                     |
        | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
      Then the object is stored with
        | field                                       | value   |
        | status.phase                                | Running |
        | status.nodeAllocatableResourceClaimStatuses | null    |

    @case:gate-off-keeps-stored-entries
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: Stored nodeAllocatableResourceClaimStatuses stay with DRANodeAllocatableResources off
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: q, namespace: default}
        spec:
          containers: [{name: main, image: i, resources: {claims: [{name: c}]}}]
          resourceClaims: [{name: c, resourceClaimName: c}]
        status:
          nodeAllocatableResourceClaimStatuses:
            - {resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}
        """
      And the feature gate "DRANodeAllocatableResources" is off
      When the status of pod "q" is updated with
        | field        | value   |
        | status.phase | Running |
      Then the object is stored with
        | field                                                             | value   |
        | status.phase                                                      | Running |
        | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName  | c       |
