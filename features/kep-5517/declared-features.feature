@profile:since-1.36
Feature: ResourceSlices with mapped devices and status.declaredFeatures of Nodes
  The API server, the scheduler and the kubelet depend on the feature gate. Since Kubernetes 1.37 a kubelet with the
  gate on lists the feature in status.declaredFeatures of its Node. The API server checks that list when a
  ResourceSlice with a mapped device is written. A mapped device has nodeAllocatableResourceMappings.

  Rule: The feature gate DRANodeAllocatableResources in the kubelet

    @case:gate-on-in-kubelet
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs is stored with DRANodeAllocatableResources on in the kubelet
      When the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored

    @case:gate-off-in-kubelet
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs is stored although the kubelet has DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored
      But since Kubernetes 1.37, because the API server requires that the node declares the feature: the object is rejected as Forbidden

    @case:unmapped-device-gate-off
    @KEP-5517/feature-gate/components
    Scenario: A device without mappings is stored with DRANodeAllocatableResources off in the kubelet
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the driver publishes the device
        | device | capacity cores |
        | large  | 12             |
      Then the object is stored

    @case:gate-turned-on-in-kubelet
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs is stored once the kubelet turns DRANodeAllocatableResources on
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the feature gate "DRANodeAllocatableResources" is turned on in the kubelet
      And the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored

    @case:stored-slice-updated-gate-off
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs can be updated after DRANodeAllocatableResources is turned off
      Given the device
        | device | mapping cpu | capacity cores |
        | large  | 12          | 4              |
      When the feature gate "DRANodeAllocatableResources" is turned off in the kubelet
      And ResourceSlice "pool-1-slice" is updated with
        | field                                | value |
        | spec.devices[0].capacity.cores.value | 5     |
      Then the object is stored
      But since Kubernetes 1.37, because the API server requires that the node declares the feature: the object is rejected as Forbidden

    @case:gate-off-in-api-server-too
    @KEP-5517/feature-gate/components @profile:kep
    Scenario: Mappings are dropped with DRANodeAllocatableResources off in kubelet and API server
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      And the feature gate "DRANodeAllocatableResources" is off in the API server
      When the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored with
        | field                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

  Rule: DRANodeAllocatableResources in status.declaredFeatures of the Node

    @case:node-declares-feature
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs is stored if its Node declares DRANodeAllocatableResources
      Given the object
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-1}
        status: {declaredFeatures: [DRANodeAllocatableResources]}
        """
      When the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored

    @case:node-declares-other-feature
    @KEP-5517/feature-gate/components
    Scenario: A device mapped to CPUs is stored if its Node does not declare DRANodeAllocatableResources
      Given the object
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-1}
        status: {declaredFeatures: [GuaranteedQoSPodCPUResize]}
        """
      When the driver publishes the device
        | device | mapping cpu |
        | large  | 12          |
      Then the object is stored
      But since Kubernetes 1.37, because the API server requires that the node declares the feature: the object is rejected as Forbidden

    @case:node-missing
    @KEP-5517/feature-gate/components
    Scenario: A ResourceSlice with a device mapped to CPUs is stored although its Node does not exist
      When the cluster reaches a steady state
      And this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: elsewhere}
        spec:
          driver: dra.example.com
          pool: {name: elsewhere, generation: 1, resourceSliceCount: 1}
          nodeName: node-9
          devices:
            - name: large
              nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: "12"}}
              nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "12"}}}
        """
      Then the object is stored
      But since Kubernetes 1.37, because the API server requires that the node declares the feature: the object is rejected as Forbidden

  Rule: Only one of two Nodes declares DRANodeAllocatableResources

    Background:
      Given the objects
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-1, labels: {tier: large}}
        status: {declaredFeatures: [DRANodeAllocatableResources]}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node-2, labels: {tier: small}}
        status: {declaredFeatures: [GuaranteedQoSPodCPUResize]}
        """

    @case:reaches-undeclared-node
    @KEP-5517/feature-gate/components
    Scenario Outline: A device mapped to CPUs is stored if not all its Nodes declare DRANodeAllocatableResources
      When the cluster reaches a steady state
      And this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: several}
        spec:
          driver: dra.example.com
          pool: {name: several, generation: 1, resourceSliceCount: 1}
          <where>
          devices:
            - name: large
              <device>
              nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: "12"}}
              nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "12"}}}
        """
      Then the object is stored
      But since Kubernetes 1.37, because the API server requires that the node declares the feature: the object is rejected as Forbidden

      Examples:
        | nodes                | where                                                                                                 | device           |
        | all nodes            | allNodes: true                                                                                        |                  |
        | small nodes          | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [small]}]}]} |                  |
        | device on small node | perDeviceNodeSelection: true                                                                          | nodeName: node-2 |
        | device on all nodes  | perDeviceNodeSelection: true                                                                          | allNodes: true   |

    @case:reaches-declared-nodes-only
    @KEP-5517/feature-gate/components
    Scenario Outline: A device mapped to CPUs is stored if all its Nodes declare DRANodeAllocatableResources
      When the cluster reaches a steady state
      And this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: several}
        spec:
          driver: dra.example.com
          pool: {name: several, generation: 1, resourceSliceCount: 1}
          <where>
          devices:
            - name: large
              <device>
              nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: "12"}}
              nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: "12"}}}
        """
      Then the object is stored

      Examples:
        | nodes                | where                                                                                                  | device           |
        | large nodes          | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [large]}]}]}  |                  |
        | no matching node     | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [medium]}]}]} |                  |
        | device on large node | perDeviceNodeSelection: true                                                                           | nodeName: node-1 |
