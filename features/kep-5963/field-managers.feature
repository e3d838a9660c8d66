@profile:kep @profile:since-1.37
Feature: Server-side apply of compatibility groups
  The groups of a device are an atomic list. Server-side apply replaces the list as a whole, whichever field manager
  applied it before.

  Background:
    When field manager "driver" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        driver: dra.example.com
        pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
        allNodes: true
        devices:
          - name: mig-0
            consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [mig]}]
      """
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is set to [mig]

  @case:forced-apply-replaces-list
  @KEP-5963/api-validation/list-is-atomic
  Scenario: A forced apply by a second field manager replaces the whole list of compatibility groups
    When field manager "admin" applies this object by force
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        devices:
          - name: mig-0
            consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [vgpu]}]
      """
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is set to [vgpu]
    And the field "spec.driver" is set to dra.example.com

  @case:unforced-apply-conflicts
  @KEP-5963/api-validation/list-is-atomic
  Scenario: An apply without force cannot add a group to the list of another field manager
    When field manager "admin" applies this object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        devices:
          - name: mig-0
            consumesCounters:
              - {counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [mig, vgpu]}
      """
    Then the object is rejected as Conflict
    When ResourceSlice "gpus" is read
    Then the object read has
      | field                                                   | value |
      | spec.devices[0].consumesCounters[0].compatibilityGroups | [mig] |

  @case:driver-takes-list-back
  @KEP-5963/api-validation/list-is-atomic
  Scenario: A forced apply by the driver replaces the groups that another field manager had forced
    When field manager "admin" applies this object by force
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        devices:
          - name: mig-0
            consumesCounters: [{counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [vgpu]}]
      """
    Then the object is stored
    When field manager "driver" applies this object by force
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: gpus}
      spec:
        driver: dra.example.com
        pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
        allNodes: true
        devices:
          - name: mig-0
            consumesCounters:
              - {counterSet: gpu-0, counters: {units: {value: "20"}}, compatibilityGroups: [mig, other]}
      """
    Then the field "spec.devices[0].consumesCounters[0].compatibilityGroups" is set to [mig, other]
