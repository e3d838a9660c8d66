Feature: Slices of devices that take of a node, and what the node declares
  The API server, the scheduler and the kubelet depend on the gate. Since Kubernetes 1.37 a kubelet declares in
  the status of its node that it has it on, and the API server asks for that when a slice is written.

  Rule: The kubelet

    @case:the-slice-of-a-node-whose-kubelet-has-the-gate-on-is
    @KEP-5517/feature-gate/components
    Scenario: The slice of a node whose kubelet has the gate on is stored
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored

    @case:by-the-text-so-is-one-of-a-node-whose-kubelet-has-it
    @KEP-5517/feature-gate/components
    Scenario: By the text so is one of a node whose kubelet has it off
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden

    @case:a-slice-of-a-node-whose-kubelet-has-it-off-may-have
    @KEP-5517/feature-gate/components @profile:kep @profile:since-1.34
    Scenario: A slice of a node whose kubelet has it off may have a device that takes nothing
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the driver publishes the device
        | device | capacity cores |
        | large  | 12             |
      Then it is stored

    @case:when-the-kubelet-has-it-on-again-the-slice-can-be
    @KEP-5517/feature-gate/components
    Scenario: When the kubelet has it on again, the slice can be written
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the feature gate "DRANodeAllocatableResources" is turned on in the kubelet
      And the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored

    @case:by-the-text-a-slice-that-was-stored-before-can-be
    @KEP-5517/feature-gate/components
    Scenario: By the text a slice that was stored before can be changed while it is off
      Given the device
        | device | takes cpu | capacity cores |
        | large  | 12        | 4              |
      When the feature gate "DRANodeAllocatableResources" is turned off in the kubelet
      And the ResourceSlice "pool-1-slice" is updated with
        | field                                | value |
        | spec.devices[0].capacity.cores.value | 5     |
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden

    @case:with-the-gate-off-in-the-api-server-too-what-devices
    @KEP-5517/feature-gate/components
    Scenario: With the gate off in the API server too, what devices take is dropped and nothing is asked
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      And the feature gate "DRANodeAllocatableResources" is off in the API server
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored with
        | field                                            | value |
        | spec.devices[0].nodeAllocatableResourceMappings | null  |
        | spec.devices[0].nodeAllocatableResources        | null  |

  Rule: Nodes that say what they declare

    @case:a-node-that-declares-the-feature-has-slices-of-such
    @KEP-5517/feature-gate/components
    Scenario: A node that declares the feature has slices of such devices
      Given the object
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-1}
        status: {declaredFeatures: [DRANodeAllocatableResources]}
        """
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored

    @case:by-the-text-a-node-that-declares-another-feature-has
    @KEP-5517/feature-gate/components
    Scenario: By the text a node that declares another feature has such slices, too
      Given the object
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-1}
        status: {declaredFeatures: [GuaranteedQoSPodCPUResize]}
        """
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden

    @case:by-the-text-a-slice-of-a-node-that-is-not-there-is
    @KEP-5517/feature-gate/components
    Scenario: By the text a slice of a node that is not there is stored
      When the cluster settles
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
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden

  Rule: One node declares the feature and one does not

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

    @case:by-the-text-a-slice-of-is-stored-too
    @KEP-5517/feature-gate/components
    Scenario Outline: By the text a slice of <nodes> is stored, too
      When the cluster settles
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
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden

      Examples:
        | nodes                      | where                                                                                                 | device           |
        | all nodes                  | allNodes: true                                                                                        |                  |
        | the small nodes            | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [small]}]}]} |                  |
        | a device on the small node | perDeviceNodeSelection: true                                                                          | nodeName: node-2 |
        | a device on all nodes      | perDeviceNodeSelection: true                                                                          | allNodes: true   |

    @case:a-slice-of-is-stored
    @KEP-5517/feature-gate/components
    Scenario Outline: A slice of <nodes> is stored
      When the cluster settles
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
      Then it is stored

      Examples:
        | nodes                          | where                                                                                                  | device           |
        | the large nodes                | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [large]}]}]}  |                  |
        | the medium nodes, none of them | nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [medium]}]}]} |                  |
        | a device on the large node     | perDeviceNodeSelection: true                                                                           | nodeName: node-1 |
