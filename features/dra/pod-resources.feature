Feature: The PodResources API of the kubelet lists dynamic resources

  @case:claims-in-use
  @DRA/device-status/pod-resources-lists-dynamic-resources
  Scenario: The PodResources API lists the ResourceClaim of each pod with the name of its device
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    Then the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
    And the PodResources API shows ResourceClaim "d" of container "main" of pod "q" with the device "dra.example.com/pool-1/gpu-1"
