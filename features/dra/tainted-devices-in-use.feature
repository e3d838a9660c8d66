@profile:kep @profile:since-1.34
Feature: Taints on devices in use

  @case:successor-pod-stays-pending
  @DRA/eviction/claim-freed-afterwards
  Scenario: A pod created after a NoExecute eviction stays Pending until the taint is removed
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When the driver updates the device "gpu-0" with
      | field  | value                              |
      | taints | [{key: broken, effect: NoExecute}] |
    And the cluster reaches a steady state
    Then pod "p" does not exist
    And ResourceClaim "c" is not allocated
    When a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When the driver updates the device "gpu-0" with
      | field  | value |
      | taints | null  |
    And the cluster reaches a steady state
    Then pod "q" is Running

  @case:taint-lasts-as-long-as-rule
  @DRA/taint-rule/lifetime
  Scenario: The taint of a DeviceTaintRule applies until the DeviceTaintRule is changed or deleted
    Given the devices
      | device |
      | gpu-0  |
    And a DeviceTaintRule "r" with
      | driver          | device | taint            |
      | dra.example.com | gpu-0  | busy:NoSchedule |
    And a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When DeviceTaintRule "r" is updated with
      | field                      | value |
      | spec.deviceSelector.device | gpu-1 |
    And the cluster reaches a steady state
    Then pod "p" is Running
    When the driver publishes the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When DeviceTaintRule "r" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "d" is allocated exactly
      | device |
      | gpu-1  |

  @case:rule-and-extended-resource
  @DRA/taint-rule/lifetime @DRA/taint/noschedule-blocks-allocation
  Scenario: A pod with an extended resource runs once the DeviceTaintRule of its device is deleted
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the device
      | device |
      | gpu-0  |
    And a DeviceTaintRule "r" with
      | driver          | device | taint           |
      | dra.example.com | gpu-0  | busy:NoSchedule |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim
    When DeviceTaintRule "r" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running

  @case:rule-leaves-slice-unchanged
  @DRA/taint-rule/independent-of-driver
  Scenario: A DeviceTaintRule changes neither the ResourceSlice nor the taints set by the driver
    Given the device
      | device | taints          |
      | gpu-0  | warm:NoSchedule |
    And a DeviceTaintRule "r" with
      | driver          | taint           |
      | dra.example.com | busy:NoSchedule |
    And a ResourceClaim "c" with the request
      | request | tolerations     |
      | r0      | busy:NoSchedule |
    And a ResourceClaim "d" with the request
      | request | tolerations                      |
      | r0      | busy:NoSchedule, warm:NoSchedule |
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceSlice "pool-1-slice" has
      | field                         | value |
      | spec.devices[0].taints[0].key | warm  |
      | spec.devices[0].taints[1]     | null  |
    When a pod "q" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "q" is Running

  @case:pod-tolerations-of-node-taints
  @DRA/taint/noschedule-blocks-allocation @DRA/toleration/belongs-to-the-claim
  Scenario: A pod's toleration of node taints does not tolerate the same taint of a device
    Given a node "node-1"
    And a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the device
      | device | taints            |
      | gpu-0  | broken:NoSchedule |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        tolerations: [{key: broken, operator: Exists}]
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      """
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim
