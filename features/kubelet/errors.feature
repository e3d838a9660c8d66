Feature: A kubelet names the cause of an error in its message

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "training-gpus" is already allocated
      | device |
      | gpu-0  |

  @case:missing-claim
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error of a pod names the ResourceClaim that is missing
    Given a pod "p" that uses ResourceClaims "training-gpus, backup-gpus"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails with an error that names "backup-gpus"

  @case:unreserved-claim
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error of a pod names the ResourceClaim that is not reserved for the pod
    Given a pod "p" that uses ResourceClaim "training-gpus"
    And ResourceClaim "training-gpus" is not reserved for pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails with an error that names "training-gpus"

  @case:unregistered-driver
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error of a pod whose driver is not registered names the driver
    Given ResourceClaim "cameras" is already allocated
      | device   | driver             |
      | camera-0 | camera.example.com |
    And a pod "p" that uses ResourceClaims "training-gpus, cameras"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails with an error that names "camera.example.com"

  @case:error-of-claim
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error of a pod names the ResourceClaim for which a driver reports an error
    Given ResourceClaim "backup-gpus" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "training-gpus, backup-gpus"
    When driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "backup-gpus"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails with an error that names "backup-gpus"

  @case:error-at-unpreparing
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error names the ResourceClaim of the pod that a driver cannot unprepare
    Given ResourceClaim "backup-gpus" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "training-gpus, backup-gpus"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with an error for ResourceClaim "backup-gpus"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails with an error that names "backup-gpus"

  @case:unregistered-driver-at-unpreparing
  @KUBELET/prepare/errors-name-the-cause
  Scenario: The error of a pod that cannot be unprepared names the driver that is not registered
    Given a pod "p" that uses ResourceClaim "training-gpus"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails with an error that names "dra.example.com"
