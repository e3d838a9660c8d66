Feature: Validation of DeviceTaintRules
  A DeviceTaintRule adds one taint, with key, value and effect, to the devices that its selector matches.

  @case:rule-stored
  @DRA/taint/structure
  Scenario: A DeviceTaintRule is stored with key, value and effect of its taint
    When this object is created
      """
      apiVersion: resource.k8s.io/v1alpha3
      kind: DeviceTaintRule
      metadata: {name: example}
      spec:
        deviceSelector: {driver: dra.example.com}
        taint: {key: unhealthy, value: Broken, effect: NoSchedule, timeAdded: "2025-01-01T10:00:00Z"}
      """
    Then the object is stored as written

  @case:taint-missing
  @DRA/taint/structure
  Scenario: A DeviceTaintRule without a taint is rejected
    When this object is created
      """
      apiVersion: resource.k8s.io/v1alpha3
      kind: DeviceTaintRule
      metadata: {name: example}
      spec:
        deviceSelector: {driver: dra.example.com}
      """
    Then the object is rejected

  @case:time-added-kept
  @DRA/toleration/taint-time-recorded
  Scenario: The timeAdded of a DeviceTaintRule does not change when its selector is updated
    Given the object
      """
      apiVersion: resource.k8s.io/v1alpha3
      kind: DeviceTaintRule
      metadata: {name: example}
      spec:
        deviceSelector: {driver: dra.example.com}
        taint: {key: unhealthy, value: Broken, effect: NoSchedule, timeAdded: "2025-01-01T10:00:00Z"}
      """
    When DeviceTaintRule "example" is updated with
      | field                    | value  |
      | spec.deviceSelector.pool | pool-1 |
    Then the object is stored as written
