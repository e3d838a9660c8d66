Feature: Lists of ResourceSlices by field selector
  The kubelet lists the ResourceSlices of its node, and a driver lists its own.

  Background:
    Given the objects
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus-of-left}
      spec: {driver: gpu.example.com, nodeName: left, pool: {name: left, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus-of-right}
      spec: {driver: gpu.example.com, nodeName: right, pool: {name: right, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: nics-of-left}
      spec: {driver: nic.example.com, nodeName: left, pool: {name: left, generation: 1, resourceSliceCount: 1}, devices: [{name: nic-0}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: nics-of-all}
      spec: {driver: nic.example.com, allNodes: true, pool: {name: all, generation: 1, resourceSliceCount: 1}, devices: [{name: nic-0}]}
      """

  @case:by-field-selector
  @API/slice/field-selectors
  Scenario Outline: ResourceSlices are listed by <field>
    When ResourceSlices are listed by <field> "<value>"
    Then the list has only ResourceSlices "<names>"

    @key:value
    Examples:
      | field         | value           | names                       |
      | spec.driver   | gpu.example.com | gpus-of-left, gpus-of-right |
      | spec.driver   | nic.example.com | nics-of-left, nics-of-all   |
      | spec.nodeName | left            | gpus-of-left, nics-of-left  |
      | spec.nodeName | right           | gpus-of-right               |

  @case:no-match
  @API/slice/field-selectors
  Scenario Outline: No ResourceSlice is listed by an unknown value of <field>
    When ResourceSlices are listed by <field> "<value>"
    Then the list has no ResourceSlice

    @key:value
    Examples:
      | field         | value             |
      | spec.driver   | other.example.com |
      | spec.nodeName | middle            |
