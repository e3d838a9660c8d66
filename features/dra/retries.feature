Feature: Changes and deletions that requeue pods that wait for a device
  A pod waits for a device of an incomplete pool, or for a tainted device, until a change makes the device available.

  Background:
    Given a node "node-1"
    And the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"

  @case:taint-rule-deleted
  @DRA/workflow/unmet-request-waits @profile:kep
  Scenario: A pod is requeued when the DeviceTaintRule that taints its device is deleted
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceTaintRule
      metadata: {name: rule}
      spec: {deviceSelector: {driver: dra.example.com}, taint: {key: k, effect: NoSchedule}}
      """
    When scheduling of pod "p" is attempted
    Then Reserve is not reached
    When another client deletes DeviceTaintRule "rule"
    Then pod "p" is retried
    When scheduling of pod "p" is attempted
    Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"

  @case:taint-rule-changed
  @DRA/workflow/unmet-request-waits @profile:kep
  Scenario: A pod is requeued when the selector of the DeviceTaintRule for its device changes
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceTaintRule
      metadata: {name: rule}
      spec: {deviceSelector: {driver: dra.example.com}, taint: {key: k, effect: NoSchedule}}
      """
    When scheduling of pod "p" is attempted
    Then Reserve is not reached
    When another client updates DeviceTaintRule "rule" with
      | field               | value                     |
      | spec.deviceSelector | {driver: nic.example.com} |
    Then pod "p" is retried

  @case:surplus-slice-deleted
  @DRA/workflow/unmet-request-waits @profile:kep @profile:since-1.36
  Scenario: A pod is requeued when a surplus ResourceSlice of its device's pool is deleted
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: surplus}
      spec: {driver: dra.example.com, nodeName: node-1, pool: {name: pool-1, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-1}]}
      """
    When scheduling of pod "p" is attempted
    Then Reserve is not reached
    When another client deletes ResourceSlice "surplus"
    Then pod "p" is retried
    But since Kubernetes 1.36, because the plugin registers only additions and updates of ResourceSlices: pod "p" is not retried
    When scheduling of pod "p" is attempted
    Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
