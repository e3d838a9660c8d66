@profile:kep @profile:since-1.37
Feature: Which manager's compatibility groups a slice has
  The groups of a device are an atomic list: server-side apply replaces it as a whole, whoever applied it before.

  Background:
    When manager "driver" applies this object
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

  @case:the-groups-that-a-second-manager-applies-by-force
  @KEP-5963/api-validation/list-is-atomic
  Scenario: The groups that a second manager applies by force take the place of the first one's
    When manager "admin" applies this object by force
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
