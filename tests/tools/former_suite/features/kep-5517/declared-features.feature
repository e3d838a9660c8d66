Feature: Slices of devices that take of a node, and what the node declares
  The API server, the scheduler and the kubelet depend on the gate. Since Kubernetes 1.37 a kubelet declares in
  the status of its node that it has it on, and the API server asks for that when a slice is written.

  Rule: The kubelet

    @case:by-the-text-so-is-one-of-a-node-whose-kubelet-has-it
    @KEP-5517/feature-gate/components
    Scenario: By the text so is one of a node whose kubelet has it off
      Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
      When the driver publishes the device
        | device | takes cpu |
        | large  | 12        |
      Then it is stored
      But since Kubernetes 1.37, because the API server asks whether the node declares the feature: it is rejected as Forbidden
