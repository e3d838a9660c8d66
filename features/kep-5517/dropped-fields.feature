Feature: What becomes of the fields while the gate is off
  A field of a feature that is off is dropped from what is written, unless what is stored uses it.

  Background:
    Given the device
      | device | shared | capacity cores | takes cpu | takes memory |
      | cpu0   | yes    | 8              | 2 x cores | 8Gi          |

  Rule: Slices

    @case:with-the-gate-on-mappings-are-stored-as-they-are
    @KEP-5517/create-strategy/gate-on-persists-mappings
    Scenario: With the gate on mappings are stored as they are written
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                           | value                                                                                              |
        | spec.devices[0].nodeAllocatableResourceMappings | {cpu: {capacityKey: cores, allocationMultiplier: "2"}, memory: {allocationMultiplier: 8Gi}} |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                    | value                                                                                                             |
        | spec.devices[0].nodeAllocatableResources | {cpu: {mapping: {capacityKey: cores, capacityMultiplier: "2"}}, memory: {mapping: {deviceMultiplier: 8Gi}}} |

    @case:with-the-gate-off-a-new-slice-loses-its-mappings-and
    @KEP-5517/create-strategy/gate-off-drops-mappings
    Scenario: With the gate off a new slice loses its mappings and nothing else
      Given the feature gate "DRANodeAllocatableResources" is off
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored with
        | field                                           | value |
        | spec.devices[0].capacity.cores.value            | 8     |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

    @case:what-is-dropped-is-not-validated
    @KEP-5517/create-strategy/gate-off-drops-mappings
    Scenario: What is dropped is not validated
      Given the feature gate "DRANodeAllocatableResources" is off
      When the ResourceSlice "pool-1-slice" is created with
        | field                                                            | value                              |
        | spec.devices[0].nodeAllocatableResourceMappings[example.com/gpu] | {allocationMultiplier: "-1"}       |
        | spec.devices[0].nodeAllocatableResources[example.com/gpu]        | {mapping: {deviceMultiplier: "-1"}} |
      Then it is stored with
        | field                                           | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

    @case:with-the-gate-off-mappings-that-are-stored-stay
    @KEP-5517/update-strategy/gate-off-keeps-mappings-in-use
    Scenario: With the gate off mappings that are stored stay
      Given the feature gate "DRANodeAllocatableResources" is off
      When the ResourceSlice "pool-1-slice" is updated with
        | field                           | value       |
        | spec.devices[0].attributes.numa | {int: 1}    |
      Then it is stored with
        | field                                                                    | value |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 2     |
        | spec.devices[0].attributes.numa.int                                      | 1     |
      But since Kubernetes 1.37, because the field is called nodeAllocatableResources there: it is stored with
        | field                                                                   | value |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping.capacityMultiplier | 2     |
        | spec.devices[0].attributes.numa.int                                     | 1     |

    @case:with-the-gate-off-mappings-cannot-be-added
    @KEP-5517/update-strategy/gate-off-drops-newly-added-mappings
    Scenario: With the gate off mappings cannot be added
      Given the device
        | device | pool  | capacity cores |
        | gpu0   | other | 1              |
      And the feature gate "DRANodeAllocatableResources" is off
      When the ResourceSlice "other-slice" is updated with
        | field                                                | value                       |
        | spec.devices[0].nodeAllocatableResourceMappings.cpu  | {allocationMultiplier: "1"} |
        | spec.devices[0].nodeAllocatableResources.cpu.mapping | {deviceMultiplier: "1"}     |
      Then it is stored with
        | field                                           | value |
        | spec.devices[0].capacity.cores.value            | 1     |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

  Rule: The status of pods

    Background:
      Given a pod "p" that uses claim "c"

    @case:with-the-gate-on-entries-are-stored
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: With the gate on entries are stored
      When the status of the Pod "p" is updated with
        | field                                       | value                                                                                                                       |
        | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
      Then it is stored with
        | field                                                        | value    |
        | status.nodeAllocatableResourceClaimStatuses[0].resources.cpu | 4        |
      But since Kubernetes 1.37, because amounts stand in mapping there: it is stored with
        | field                                                             | value |
        | status.nodeAllocatableResourceClaimStatuses[0].mapping[0].quantity | 4     |

    @case:with-the-gate-off-a-first-entry-is-dropped
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: With the gate off a first entry is dropped
      Given the feature gate "DRANodeAllocatableResources" is off
      When the status of the Pod "p" is updated with
        | field                                       | value                                                                                                                       |
        | status.phase                                | Running                                                                                                                     |
        | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
      Then it is stored with
        | field                                       | value   |
        | status.phase                                | Running |
        | status.nodeAllocatableResourceClaimStatuses | null    |

    @case:with-the-gate-off-entries-that-are-stored-stay
    @KEP-5517/update-strategy/pod-status-field-follows-gate
    Scenario: With the gate off entries that are stored stay
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
      When the status of the Pod "q" is updated with
        | field        | value   |
        | status.phase | Running |
      Then it is stored with
        | field                                                             | value   |
        | status.phase                                                      | Running |
        | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName  | c       |
