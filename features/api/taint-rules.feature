Feature: Start of tolerationSeconds for a DeviceTaintRule
  The taint of a rule has been there since its effect was changed last, so that a toleration for some seconds begins
  to run out then.

  @case:effect-change-starts-seconds
  @API/rule/time @profile:kep @profile:since-1.37
  Scenario: tolerationSeconds counts from the change of a DeviceTaintRule's effect to NoExecute
    Given the device
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceTaintRule
      metadata: {name: r}
      spec:
        deviceSelector: {driver: dra.example.com}
        taint: {key: broken, effect: None, timeAdded: '2020-01-01T00:00:00Z'}
      """
    And a ResourceClaim "c" with the request
      | request | tolerations               |
      | r0      | broken:NoExecute for 60s  |
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceTaintRule "r" is updated with
      | field             | value     |
      | spec.taint.effect | NoExecute |
    And the cluster reaches a steady state
    Then pod "p" is Running
    When 61 seconds pass
    And the cluster reaches a steady state
    Then pod "p" does not exist
